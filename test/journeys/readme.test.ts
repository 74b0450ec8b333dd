import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { section, shellBlocks } from '#test/support/markdown.ts'
import { System } from '#test/support/system.ts'

let system: System
/** Its `.data` is what `npm start` would have made in the reader's checkout. */
const folder = mkdtempSync(join(tmpdir(), 'vedette-reader-'))
beforeAll(async () => {
  system = await System.start({ dataDir: join(folder, '.data') })
}, 180_000)
afterAll(async () => {
  await system?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** What a block started in the background ends with its bash, also when that runs out of time. */
const endJobs = `trap 'kill $(jobs -p) 2>/dev/null' EXIT`

/** Pastes blocks of a page into one bash, as a reader would, and returns what they print. Every call must succeed. */
async function paste(blocks: readonly string[]): Promise<string> {
  writeFileSync(join(folder, '.curlrc'), 'write-out = "%{stderr}%{http_code}\\n"\n')
  const path = `${dirname(process.execPath)}:${process.env.PATH}`
  const env = { ...process.env, PATH: path, CURL_HOME: folder }
  const options = { cwd: folder, env, timeout: 60_000 }
  const { stdout, stderr } = await promisify(execFile)(
    'bash',
    ['--norc', '-uo', 'pipefail', '-c', [endJobs, ...blocks].join('\n')],
    options,
  )
  const statuses = stderr.trim().split('\n')
  expect(statuses.filter(status => !/^2\d\d$/.test(status))).toEqual([])
  return stdout
}

test('the README’s blocks of the first incident, pasted as they are, end with its proof', async () => {
  const blocks = shellBlocks(section(readFileSync('README.md', 'utf8'), 'The first incident'))
  expect(blocks).toHaveLength(3)
  const printed = await paste(blocks)
  expect(printed).toContain('required: 2')
  for (const region of ['eu-west', 'us-east', 'ap-south']) expect(printed).toContain(region)
})

const pages = ['reselling', 'checks', 'notifications']
test.each(pages)('every call in the blocks of docs/%s.md, pasted as they are, succeeds', async page => {
  await paste(shellBlocks(readFileSync(`docs/${page}.md`, 'utf8')))
})

test('a block with a call that is refused fails', async () => {
  await expect(paste([`curl -s ${system.local.base_url}/api/v1/monitors`])).rejects.toThrow('401')
})
