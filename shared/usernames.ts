/**
 * Returns whether UTS 39 (Unicode Security Mechanisms) allows a name, as far as JavaScript's Unicode properties can tell. Expects
 * NFKC. The server also refuses names that look like an existing one: see `confusableKey` in server/db/fold.ts.
 */
export function isUsername(name: string): boolean {
  return (
    /[\p{L}\p{Nd}]/u.test(name) &&
    // Invisible in most fonts, although some are letters, such as the Hangul fillers.
    !/\p{Default_Ignorable_Code_Point}/u.test(name) &&
    // A mark needs a base letter; no language needs five marks, or the same mark twice (UTS 39, 5.4).
    !/(^|[_.-])\p{M}|\p{M}{5}|(\p{Mn})\2/u.test(name.normalize('NFD')) &&
    isOneWritingSystem(name)
  )
}

/** UTS 39, 5.2, “highly restrictive”: a single script, or Latin with the scripts of Japanese, Chinese or Korean. */
function isOneWritingSystem(name: string): boolean {
  if (/^[\p{scx=Latin}\p{scx=Common}\p{scx=Inherited}]*$/u.test(name)) return true
  writingSystems ??= [
    ['Latin', 'Han', 'Hiragana', 'Katakana'],
    ['Latin', 'Han', 'Bopomofo'],
    ['Latin', 'Han', 'Hangul'],
    ...scripts.split(' ').map((script) => [script]),
  ].map((some) => {
    const classes = [...some, 'Common', 'Inherited'].map((script) => `\\p{scx=${script}}`)
    return new RegExp(`^[${classes.join('')}]*$`, 'u')
  })
  return writingSystems.some((system) => system.test(name))
}

let writingSystems: RegExp[] | undefined

/** The scripts in modern use, from tables 5 and 7 of UAX 31. UTS 39 excludes historic scripts. */
const scripts =
  'Latin Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hebrew ' +
  'Hiragana Kannada Katakana Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan ' +
  'Adlam Balinese Bamum Batak Canadian_Aboriginal Chakma Cham Cherokee Hanifi_Rohingya Javanese Kayah_Li Lepcha Limbu Lisu ' +
  'Mandaic Meetei_Mayek Miao Mongolian New_Tai_Lue Newa Nko Nyiakeng_Puachue_Hmong Ol_Chiki Osage Saurashtra Sundanese Syloti_Nagri ' +
  'Syriac Tai_Le Tai_Tham Tai_Viet Tifinagh Vai Wancho Yi'
