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

/** Pastes blocks of a page, one after the other, into one bash, as a reader would. What they print; every call must succeed. */
async function paste(blocks: readonly string[]): Promise<string> {
  writeFileSync(join(folder, '.curlrc'), 'write-out = "%{stderr}%{http_code}\\n"\n')
  const path = `${dirname(process.execPath)}:${process.env.PATH}`
  const options = { cwd: folder, env: { ...process.env, PATH: path, CURL_HOME: folder }, timeout: 60_000, killSignal: 'SIGKILL' } as const
  const { stdout, stderr } = await promisify(execFile)('bash', ['-uo', 'pipefail', '-c', blocks.join('\n')], options)
  const statuses = stderr.trim().split('\n')
  expect(statuses.filter(status => !/^2\d\d$/.test(status))).toEqual([])
  return stdout
}

test('the blocks of "The first incident" in the README, pasted as they are, end with the proof of an incident', async () => {
  const blocks = shellBlocks(section(readFileSync('README.md', 'utf8'), 'The first incident'))
  expect(blocks).toHaveLength(3)
  const printed = await paste(blocks)
  expect(printed).toContain('required: 2')
  for (const region of ['eu-west', 'us-east', 'ap-south']) expect(printed).toContain(region)
})

test.each(['reselling', 'checks', 'notifications'])('every call of the blocks of docs/%s.md, pasted as they are, succeeds', async page => {
  await paste(shellBlocks(readFileSync(`docs/${page}.md`, 'utf8')))
})

test('a block with a call that is refused fails', async () => {
  await expect(paste([`curl -s ${system.local.base_url}/api/v1/monitors`])).rejects.toThrow('401')
})
