import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, truncate, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** The file operations of the spool; a fault test can make them fail. */
export interface Disk {
  list(dir: string): Promise<string[]>
  create(path: string): Promise<DiskFile>
  read(path: string): Promise<Buffer>
  truncate(path: string, size: number): Promise<void>
  rename(path: string, to: string): Promise<void>
  remove(path: string): Promise<void>
}

export interface DiskFile {
  /** Returns the number of bytes written, which is smaller without an error when the disk is full. */
  write(data: Buffer, from: number, at: number): Promise<number>
  sync(): Promise<void>
  close(): Promise<void>
}

export const realDisk: Disk = {
  async list(dir) {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    return readdir(dir)
  },
  async create(path) {
    const file = await open(path, 'wx', 0o600)
    try {
      await syncDirectory(join(path, '..'))
    } catch (error) {
      await file.close()
      throw error
    }
    return wrap(file)
  },
  read: path => readFile(path),
  truncate: (path, size) => truncate(path, size),
  rename: (path, to) => rename(path, to),
  remove: path => unlink(path),
}

const wrap = (file: FileHandle): DiskFile => ({
  write: async (data, from, at) => (await file.write(data, from, data.length - from, at)).bytesWritten,
  sync: () => file.datasync(),
  close: () => file.close(),
})

/** A new file survives a power failure only if its directory was synced too. */
async function syncDirectory(path: string) {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/**
 * Encrypts segments with keys derived from the agent's identity, one per segment: results contain parts of customers'
 * pages. In counter mode a flipped bit stays a single flipped bit, which the record's CRC detects.
 */
export class Seal {
  readonly #key: Buffer

  constructor(secret: Buffer, segment: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, segment, 'vedette spool', 32))
  }

  /** For data that continues where the previous part ended. */
  writer(): (data: Buffer) => Buffer {
    const cipher = createCipheriv('aes-256-ctr', this.#key, Buffer.alloc(16))
    return data => cipher.update(data)
  }

  open(data: Buffer): Buffer {
    return createDecipheriv('aes-256-ctr', this.#key, Buffer.alloc(16)).update(data)
  }
}
