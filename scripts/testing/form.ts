export function formWith(content: string | Buffer, filename: string, field = 'file') {
  const head = `--x\r\ncontent-disposition: form-data; name="${field}"; filename="${filename}"\r\n\r\n`
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n--x--\r\n')]),
  }
}
