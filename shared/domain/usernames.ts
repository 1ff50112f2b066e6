/**
 * UTS 39 (Unicode Security Mechanisms), as far as JavaScript's Unicode properties can tell. Expects NFKC. The server also refuses names
 * that look like an existing one: `confusableKey` in server/db/fold.ts.
 */
export function isUsername(name: string): boolean {
  return (
    /[\p{L}\p{Nd}]/u.test(name) &&
    // Some letters are invisible in most fonts, such as the Hangul fillers.
    !/\p{Default_Ignorable_Code_Point}/u.test(name) &&
    // A mark needs a base letter; no language needs five marks, or the same mark twice (UTS 39, 5.4).
    !/(^|[_.-])\p{M}|\p{M}{5}|(\p{Mn})\2/u.test(name.normalize('NFD')) &&
    !hasNeedlessMark(name.normalize('NFD')) &&
    isOneWritingSystem(name)
  )
}

/**
 * In NFD: lines through, under or over letters, enclosing signs, a dot on a letter that has one (UTS 39, 5.4), and voicing marks beside
 * kana. Marks that letters of living languages need are allowed.
 */
function hasNeedlessMark(name: string): boolean {
  return /\p{Me}|(?![\u0300-\u0304\u0306-\u030c\u030f-\u0311\u0313\u0314\u031b\u0323-\u0328\u032d\u032e\u0330\u0331\u0342\u0345\u064b-\u0655\u0670\u3099\u309a])(?=\p{M})\p{Script=Inherited}|[\p{Soft_Dotted}\u0131\u0237]\p{M}*\u0307|(?<![\p{Script=Hiragana}\p{Script=Katakana}])[\u3099\u309a]/u.test(
    name,
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

/** In modern use: tables 5 and 7 of UAX 31. */
const scripts =
  'Latin Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hebrew ' +
  'Hiragana Kannada Katakana Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan ' +
  'Adlam Balinese Bamum Batak Canadian_Aboriginal Chakma Cham Cherokee Hanifi_Rohingya Javanese Kayah_Li Lepcha Limbu Lisu ' +
  'Mandaic Meetei_Mayek Miao Mongolian New_Tai_Lue Newa Nko Nyiakeng_Puachue_Hmong Ol_Chiki Osage Saurashtra Sundanese Syloti_Nagri ' +
  'Syriac Tai_Le Tai_Tham Tai_Viet Tifinagh Vai Wancho Yi'
