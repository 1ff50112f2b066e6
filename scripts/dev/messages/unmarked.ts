import { parseSync } from 'vite'
import { anyMark, isNode, isUntranslated, markMessages, nameOf, type Node } from './find.ts'

/** Attributes, properties and constants whose strings are for programs. */
const forPrograms =
  /^(@type|\w*[cC]lass(Name|es)?|key|id|d|viewBox|type|rel|role|to|href|src|from|method|path|category|authorization|variables|keys|command|about|\w*Key|aria-keyshortcuts|autoComplete|queryKey)$/
/** Functions whose arguments and results are for programs. */
const programCalls =
  /^(clsx|Error|RegExp|matchMedia|querySelector(All)?|closest|matches|includes|startsWith|endsWith|addEventListener|dispatchEvent|CustomEvent|createElement|(read|write)(Stored|LogChoice)|(use|was)LogChoice|use(Review)?Draft|keptNoteOf|getItem|setItem|log|warn|error)$/
/** The same in all languages: products, and keys of keyboards. */
const names =
  /^(Medley|Edge|Opera|Firefox|Chrome|Safari|Android|Windows|Mac|Linux|Open Library|((Alt|Control|Meta|Shift)\+)?(Escape|Enter|Arrow\w*))$/

/** Lengths, such as `calc(2 * 1lh + 1.5rem)`. */
const styles = /\d(rem|lh|fr)\b/
/** A part of a template that has words: “ on”, “ today: added to your diary”. */
const joined = /\s\p{L}{2,}\s|^\s\p{L}{2,}([:,.]|$)/u

/** Returns the texts of a source that people seem to read and that no message contains. */
export function unmarkedTexts(code: string, file: string): { text: string; line: number }[] {
  const marked = markMessages(code, file)?.code ?? code
  const { program } = parseSync(file, marked, { lang: file.endsWith('x') ? 'tsx' : 'ts', astType: 'ts' })
  const found: { text: string; line: number }[] = []
  visit(program, false)
  return found

  /** `isShown`: it is a value among the children of an element. */
  function visit(node: unknown, isShown: boolean): void {
    if (Array.isArray(node)) {
      for (const one of node) visit(one, isShown)
      return
    }
    if (!isNode(node) || isForPrograms(node)) return
    const text = textOf(node)
    const isJoined = node.type === 'TemplateElement' && joined.test(text ?? '') && !styles.test(text ?? '')
    if (text !== undefined && (isJoined || isUnmarked(withoutMarks(text), isShown)))
      found.push({ text, line: code.slice(0, Math.max(0, code.indexOf(text))).split('\n').length })
    for (const [key, value] of Object.entries(node))
      if (typeof value === 'object' && !(node.type === 'Property' && key === 'key'))
        visit(value, isShownIn(node, key, isShown))
  }
}

/** Texts, and conditions whose results are texts, stay shown; the arguments of a call are not. */
function isShownIn(node: Node, key: string, isShown: boolean): boolean {
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return key === 'children'
  if (node.type === 'ConditionalExpression') return isShown && key !== 'test'
  return isShown && /^(JSXExpressionContainer|LogicalExpression|TemplateLiteral)$/.test(node.type)
}

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node.type === 'TemplateElement') return (node['value'] as { cooked: string }).cooked
  return undefined
}

function isForPrograms(node: Node): boolean {
  if (/^(Import|ExportAll)Declaration$/.test(node.type)) return true
  if (node.type === 'ExportNamedDeclaration') return node['source'] !== null
  if (node.type.startsWith('TS')) return !/^TS(As|Satisfies|NonNull)Expression$/.test(node.type)
  if (node.type === 'BinaryExpression') return /^[!=]==?$|^in$/.test(String(node['operator']))
  if (node.type === 'JSXElement') return isUntranslated(node)
  const named = { JSXAttribute: 'name', Property: 'key', VariableDeclarator: 'id' }[node.type]
  if (named !== undefined) return forPrograms.test(nameOf(node[named]) ?? '')
  if (node.type === 'FunctionDeclaration') return programCalls.test(nameOf(node['id']) ?? '')
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return false
  const callee = node['callee'] as Node
  return programCalls.test(nameOf(callee) ?? nameOf(callee['property']) ?? '')
}

function isUnmarked(text: string, isShown: boolean): boolean {
  return !names.test(text) && (isShown ? /\p{L}{2}/u.test(text) : isText(text))
}

function withoutMarks(text: string): string {
  return text.replaceAll(anyMark, '').trim()
}

/** Words as people write them. Names in programs are single words in small letters; class names have hyphens, colons or brackets. */
function isText(text: string): boolean {
  if (/^[<;]/.test(text) || styles.test(text)) return false
  const words = text.split(/\s+/)
  if (words.length === 1) return /^[“(]?\p{Lu}\p{Ll}+[’'.…:!?”),]*$|^\p{Ll}{2,}[…!?]$/u.test(text)
  if (words.every((word) => names.test(word))) return false
  const isClasses =
    words.every((word) => /^[\w!@*&#%.,:;/()[\]<>='"+~^$|{}-]+$/.test(word)) &&
    words.some((word) => /[-:[]|\p{L}\d/u.test(word)) &&
    !/^\p{Lu}|[.!?…:]$/u.test(text)
  return !isClasses && /\p{L}{2}/u.test(text)
}
