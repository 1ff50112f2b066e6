import unhomoglyph from 'unhomoglyph'

/**
 * What a username looks like, whatever its case: names with the same key are confusable by UTS 39 (its `skeleton`, with the
 * table of the library): the Latin `scope` and the Cyrillic `ѕсоре`, or `paypal` and `paypa1`.
 *
 * The keys of existing names are stored. A version of the library with another table needs a migration that computes them
 * again.
 */
export function confusableKey(username: string): string {
  const shape = unhomoglyph(username.normalize('NFKC').normalize('NFD'))
  // Once more, since lower case looks different: M is itself, m is rn.
  return unhomoglyph(shape.toLowerCase().normalize('NFD')).toLowerCase().normalize('NFC')
}
