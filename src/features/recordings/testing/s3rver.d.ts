declare module '@20minutes/s3rver' {
  type Options = {
    port: number
    address: string
    silent: boolean
    directory: string
    configureBuckets: { name: string; configs: string[] }[]
  }
  /** A small S3 server that stores files in a folder. */
  export default class S3rver {
    constructor(options: Options)
    run(): Promise<{ port: number; address: string }>
    close(): Promise<void>
  }
}
