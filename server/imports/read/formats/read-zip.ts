import { TRPCError } from '@trpc/server'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { importZipBytesMax, importZipEntriesMax, importZipEntryBytesMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { headOf } from './read-csv.ts'

export type Zip = {
  /** By path, without folders and the files that macOS adds. */
  files: string[]
  read: (file: string) => Promise<Buffer>
  readHead: (file: string) => Promise<Buffer>
  /** Whether the beginning of one of the first of these files says so. */
  hasHead: (isOf: (file: string) => boolean, isOne: (head: string) => boolean) => Promise<boolean>
  close: () => void
}

const headBytes = 64 * 1024
const headsMax = 5

const refused = (cause?: unknown) =>
  new TRPCError({ code: 'BAD_REQUEST', message: messages.importZip, cause })

/**
 * Throws BAD_REQUEST for no zip, one with a password, paths outside of it, or more files or bytes than the limits. Bytes are counted while
 * they are inflated: the directory may be wrong.
 */
export async function openZip(path: string): Promise<Zip> {
  let zip: ZipFile | undefined
  try {
    zip = await openPromise(path, { autoClose: false })
    // The reader emits some errors besides rejecting; without a listener they would end the process.
    zip.on('error', () => {})
    const entries = await listEntries(zip)
    return zipOf(zip, entries)
  } catch (error) {
    zip?.close()
    throw error instanceof TRPCError ? error : refused(error)
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > importZipEntriesMax) throw refused()
  const entries = new Map<string, Entry>()
  let count = 0
  let bytes = 0
  for await (const entry of zip.eachEntry()) {
    count += 1
    bytes += entry.uncompressedSize
    if (count > importZipEntriesMax || bytes > importZipBytesMax) throw refused()
    if (entry.isEncrypted()) throw new TRPCError({ code: 'BAD_REQUEST', message: messages.importZipPassword })
    const name = entry.fileName
    if (!name.endsWith('/') && !/(^|\/)(__MACOSX\/|\.)/.test(name)) entries.set(name, entry)
  }
  return entries
}

function zipOf(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Zip {
  let total = 0
  async function inflate(file: string, max = Infinity): Promise<Buffer> {
    const entry = entries.get(file)!
    if (max === Infinity && entry.uncompressedSize > importZipEntryBytesMax) throw refused()
    // Joining chunks would take twice the memory.
    const content = Buffer.allocUnsafe(Math.min(entry.uncompressedSize, max))
    let bytes = 0
    try {
      const stream = await zip.openReadStreamPromise(entry)
      // Leaving the loop destroys the stream.
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        chunk.copy(content, bytes)
        bytes += chunk.length
        total += chunk.length
        if (bytes >= max) break
        if (bytes > content.length || total > importZipBytesMax) throw refused()
      }
    } catch (error) {
      throw error instanceof TRPCError ? error : refused(error)
    }
    return content.subarray(0, bytes)
  }
  const files = [...entries.keys()]
  const readHead = (file: string) => inflate(file, headBytes)
  return {
    files,
    read: (file) => inflate(file),
    readHead,
    async hasHead(isOf, isOne) {
      for (const file of files.filter(isOf).slice(0, headsMax))
        if (isOne(headOf(await readHead(file)))) return true
      return false
    },
    close: () => zip.close(),
  }
}
