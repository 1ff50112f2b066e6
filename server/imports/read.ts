import { readFile } from 'node:fs/promises'
import type { OpenedFile } from './formats/reading.ts'

export type ImportProblem = 'importEmpty' | 'importUnknown' | 'importZip' | 'importTooManyLines'
export class ImportFileError extends Error {
  readonly problem: ImportProblem
  constructor(problem: ImportProblem) {
    super(problem)
    this.problem = problem
  }
}

export async function openImport({ path }: { path: string; bytes: number }): Promise<OpenedFile> {
  const text = await readFile(path, 'utf8')
  const [head, ...lines] = text.split(/\r?\n/)
  const columns = head!.split(',')
  if (text.trim() === '') throw new ImportFileError('importEmpty')
  if (!columns.includes('Const')) throw new ImportFileError('importUnknown')
  if (lines.filter(Boolean).length === 0) throw new ImportFileError('importEmpty')
  return {
    service: 'imdb',
    async *rows() {
      for (const [index, line] of lines.entries()) {
        if (line === '') continue
        const cells = (line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? []).map((cell) =>
          cell.replace(/,$/, '').replace(/^"|"$/g, ''),
        )
        const raw = Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']))
        if (cells.length < 3) yield { file: 'ratings.csv', line: index + 2, problem: 'Too few columns.' }
        else yield { file: 'ratings.csv', line: index + 2, raw }
      }
    },
    facts: () => ({ columns: [], shelves: [], options: {} }),
  }
}
