import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { StartFault } from '#cli/fault.ts'
import { build } from '#contract/version.ts'
import { decryption, deriveKey, encryption, newDerivation, type Step, UnreadableFile } from './cipher.ts'
import { format, Header, Manifest, type StoredFile, wholeFormat } from './format.ts'

const headerFile = 'backup.json'
const manifestFile = 'manifest.json'

const through: Step = source => source as AsyncGenerator<Buffer>

/** Counts and hashes what passes. */
function measured(): { step: Step; read(): { bytes: number; sha256: string } } {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    step: async function* (source) {
      for await (const part of source) {
        hash.update(part)
        bytes += part.length
        yield part
      }
    },
    read: () => ({ bytes, sha256: hash.digest('hex') }),
  }
}

/** A backup that is being written, beside its place, where it is put when it is whole. */
export class NewBackup {
  readonly header: Header
  readonly #folder: string
  readonly #draft: string
  readonly #key: Buffer | null
  #bytes = 0

  private constructor(folder: string, key: string | null, base: Header['base']) {
    const derivation = key === null ? null : newDerivation()
    this.header = {
      format: base === null ? wholeFormat : format,
      id: randomUUID(),
      made_at: new Date().toISOString(),
      version: build,
      encryption: derivation,
      base,
    }
    this.#folder = folder
    this.#draft = `${folder}.partial`
    this.#key = key === null || derivation === null ? null : deriveKey(key, derivation)
  }

  /** Of all its files so far. */
  get bytes(): number {
    return this.#bytes
  }

  /** `key`: what the operator encrypts with, or null. */
  static open(path: string, key: string | null, base: Header['base'] = null): NewBackup {
    const folder = resolve(path)
    if (existsSync(folder) && readdirSync(folder).length > 0)
      throw new StartFault(
        'config',
        `${path} is not empty`,
        'A backup never replaces another.',
        `vedette backup ${join(dirname(path), `vedette-${new Date().toISOString().slice(0, 10)}`)}`,
      )
    const backup = new NewBackup(folder, key, base)
    rmSync(backup.#draft, { recursive: true, force: true })
    mkdirSync(backup.#draft, { recursive: true, mode: 0o700 })
    return backup
  }

  /** Writes a file, and returns its size and hash as it is stored. One whose name ends with `.gz` is compressed. */
  async write(name: string, source: AsyncIterable<Buffer | string> | Iterable<Buffer | string>): Promise<StoredFile> {
    const file = this.#key === null ? name : `${name}.encrypted`
    const path = join(this.#draft, file)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const measure = measured()
    await pipeline(
      Readable.from(source, { objectMode: false }),
      name.endsWith('.gz') ? createGzip() : new PassThrough(),
      this.#key === null ? through : encryption(this.#key, `${this.header.id} ${name}`),
      measure.step,
      createWriteStream(path, { mode: 0o600, flush: true }),
    )
    const written = measure.read()
    this.#bytes += written.bytes
    return { file, ...written }
  }

  async finish(manifest: Omit<Manifest, 'header'>): Promise<void> {
    const whole: Manifest = { header: this.header, ...manifest }
    await this.write(manifestFile, [JSON.stringify(whole, null, 1)])
    await writeFile(join(this.#draft, headerFile), `${JSON.stringify(this.header, null, 1)}\n`, {
      mode: 0o600,
      flush: true,
    })
    if (existsSync(this.#folder)) rmSync(this.#folder, { recursive: true })
    renameSync(this.#draft, this.#folder)
    const parent = await open(dirname(this.#folder))
    await parent.sync().finally(() => parent.close())
  }

  abandon(): void {
    rmSync(this.#draft, { recursive: true, force: true })
  }
}

/** A backup that is read. */
export class Backup {
  readonly header: Header
  readonly manifest: Manifest
  readonly folder: string
  readonly #key: Buffer | null

  private constructor(folder: string, key: Buffer | null, manifest: Manifest) {
    this.folder = folder
    this.#key = key
    this.header = manifest.header
    this.manifest = manifest
  }

  /** Reads the header and the manifest. `key`: what it was encrypted with, or null. */
  static async open(path: string, key: string | null): Promise<Backup> {
    const folder = resolve(path)
    const header = await readHeader(folder, path)
    if (header.encryption !== null && key === null)
      throw new StartFault(
        'config',
        `the backup ${path} is encrypted`,
        'It is read with the key that it was made with.',
        `BACKUP_KEY_FILE=FILE vedette restore ${path}`,
      )
    const derived = header.encryption === null || key === null ? null : deriveKey(key, header.encryption)
    const name = `${manifestFile}${derived === null ? '' : '.encrypted'}`
    const parts: Buffer[] = []
    try {
      await pipeline(
        createReadStream(join(folder, name)),
        derived === null ? through : decryption(derived, `${header.id} ${manifestFile}`),
        collecting(parts),
      )
    } catch (error) {
      throw unreadable(path, error)
    }
    const manifest = Manifest.safeParse(parsed(Buffer.concat(parts).toString('utf8')))
    if (!manifest.success || JSON.stringify(manifest.data.header) !== JSON.stringify(header))
      throw unreadable(path, new Error('Its manifest is not that of this backup.'))
    return new Backup(folder, derived, manifest.data)
  }

  /** The whole backup that this one is the difference to, or null. It lies beside this one. */
  static async baseOf({ folder, header }: Backup, key: string | null): Promise<Backup | null> {
    if (header.base === null) return null
    const path = join(dirname(folder), header.base.folder)
    const base = await Backup.open(path, key)
    if (base.header.id !== header.base.id)
      throw new StartFault(
        'config',
        `${path} is not the backup that ${basename(folder)} is the difference to`,
        `It is ${base.header.id}, and ${header.base.id} is needed.`,
        'put the whole backup of that id beside it, under that name',
      )
    return base
  }

  /** Compares every file with its hash in the manifest. */
  async verify(): Promise<void> {
    const { postgres, clickhouse, keys } = this.manifest
    const files = [...postgres.tables, ...('file' in clickhouse.archive ? [clickhouse.archive] : []), keys ?? []].flat()
    for (const { file, bytes, sha256 } of files) {
      const measure = measured()
      const sink = new Writable({ write: (_part, _encoding, done) => done() })
      try {
        await pipeline(createReadStream(this.#pathOf(file)), measure.step, sink)
      } catch (error) {
        throw unreadable(basename(this.folder), error)
      }
      const found = measure.read()
      if (found.bytes !== bytes || found.sha256 !== sha256)
        throw unreadable(basename(this.folder), new Error(`${file} is not as it was written.`))
    }
  }

  /** The bytes of a file as they were given to `write`. */
  read({ file }: StoredFile): AsyncIterable<Buffer> {
    const name = file.replace(/\.encrypted$/, '')
    const out = name.endsWith('.gz') ? createGunzip() : new PassThrough()
    // a failure ends the output with it, where it is read
    pipeline(
      createReadStream(this.#pathOf(file)),
      this.#key === null ? through : decryption(this.#key, `${this.header.id} ${name}`),
      out,
    ).catch(() => {})
    return out
  }

  #pathOf(file: string): string {
    const path = resolve(this.folder, file)
    if (!path.startsWith(`${this.folder}/`)) throw new UnreadableFile(`${file} lies outside of the backup.`)
    return path
  }
}

const collecting = (parts: Buffer[]) =>
  new Writable({
    write(part: Buffer, _encoding, done) {
      parts.push(part)
      done()
    },
  })

export async function readHeader(folder: string, path: string): Promise<Header> {
  const text = await readFile(join(folder, headerFile), 'utf8').catch(() => null)
  if (text === null)
    throw new StartFault(
      'config',
      `${path} is no backup`,
      `It has no ${headerFile}: a backup that was interrupted is left in a folder that ends with .partial.`,
      'vedette backup FOLDER',
    )
  const loose = parsed(text) as { format?: unknown; version?: unknown } | undefined
  if (typeof loose?.format === 'number' && loose.format > format)
    throw new StartFault(
      'config',
      `the backup ${path} has form ${loose.format}, and this version reads up to ${format}`,
      `It was made by version ${loose.version}.`,
      'restore it with that version or a later one',
    )
  const header = Header.safeParse(loose)
  if (!header.success) throw unreadable(path, new Error(`${headerFile} cannot be read.`))
  return header.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const unreadable = (path: string, error: unknown) =>
  new StartFault(
    'failed',
    `the backup ${path} cannot be read`,
    error instanceof Error ? error.message : String(error),
    'give the key that it was made with, or take another backup',
  )
