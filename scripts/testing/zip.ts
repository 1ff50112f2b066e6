import { crc32, deflateRawSync } from 'node:zlib'

/** `copies`: how many more names share the content of the last file. */
export function zipOf(
  files: Record<string, string | Buffer>,
  { copies = 0 }: { copies?: number } = {},
): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  const named = Object.entries(files)
  for (const [at, [name, content]] of named.entries()) {
    const plain = Buffer.from(content)
    const data = deflateRawSync(plain)
    const headOf = (name: string) => {
      const head = Buffer.alloc(26)
      head.writeUInt16LE(20, 0)
      head.writeUInt16LE(0x0800, 2)
      head.writeUInt16LE(8, 4)
      head.writeUInt32LE(crc32(plain), 10)
      head.writeUInt32LE(data.length, 14)
      head.writeUInt32LE(plain.length, 18)
      head.writeUInt16LE(Buffer.byteLength(name), 22)
      return head
    }
    const end = Buffer.alloc(14)
    end.writeUInt32LE(offset, 10)
    const isLast = at === named.length - 1
    const names = [name, ...Array.from({ length: isLast ? copies : 0 }, (_, copy) => `${copy}/${name}`)]
    for (const each of names)
      directory.push(
        Buffer.concat([
          Buffer.from('PK\u0001\u0002'),
          Buffer.from([20, 0]),
          headOf(each),
          end,
          Buffer.from(each),
        ]),
      )
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), headOf(name), Buffer.from(name), data])
    locals.push(local)
    offset += local.length
  }
  const last = Buffer.alloc(18)
  last.writeUInt16LE(directory.length, 4)
  last.writeUInt16LE(directory.length, 6)
  last.writeUInt32LE(Buffer.concat(directory).length, 8)
  last.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\u0005\u0006'), last])
}
