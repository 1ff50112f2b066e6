declare module '@20minutes/s3rver' {
  type Options = {
    address: string
    port: number
    directory: string
    silent: boolean
    allowMismatchedSignatures: boolean
    configureBuckets: { name: string }[]
  }
  // oxlint-disable-next-line import/no-default-export -- as the package has it
  export default class S3rver {
    constructor(options: Options)
    run(): Promise<{ port: number }>
  }
}
