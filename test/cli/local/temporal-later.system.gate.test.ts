import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { obtainTemporal } from '#cli/local/embedded/temporal.ts'
import { answers } from '#cli/local/loopback.ts'
import { eventually, System } from '#test/support/system.ts'

let folder = ''
let system: System | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-later-'))
})
afterEach(async () => {
  await system?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Only the compiler is left: no pip works, and no index is named. */
function withoutPip(bin: string): Record<string, string> {
  for (const name of ['pip3', 'pip', 'python3', 'python'])
    writeFileSync(join(bin, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  return {
    HOME: folder,
    VEDETTE_CACHE: join(folder, 'cache'),
    PATH: [bin, process.env.PATH].join(delimiter),
    PIP_INDEX_URL: '',
    PIP_CONFIG_FILE: '/dev/null',
  }
}

/** A compiler that is done as soon as the file `built` is there, and has built the program of this machine. */
async function slowCompiler(): Promise<string> {
  const { path } = await obtainTemporal()
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  copyFileSync(path, join(folder, 'temporal'))
  const script = `#!/bin/sh
[ "$1" = version ] && exit 0
while [ ! -e ${folder}/built ]; do sleep 0.1; done
cp ${folder}/temporal "$GOBIN/temporal"
`
  writeFileSync(join(bin, 'go'), script, { mode: 0o755 })
  return bin
}

test('is ready while Temporal is still being built, then connects to it', { timeout: 180_000 }, async () => {
  const bin = await slowCompiler()
  system = await System.start({
    regions: ['home'],
    env: withoutPip(bin),
  })
  const { events, local } = system
  const temporal = (state: string) => events.find(event => event.part === 'temporal' && event.state === state)
  const part = async () => JSON.parse((await answers(`${local.base_url}/readyz`))?.body ?? '{}').parts.temporal
  expect(events.find(({ event }) => event === 'ready')).toMatchObject({
    temporal: 'obtained in the background',
    temporal_ui_url: null,
  })
  expect(temporal('ready')).toBeUndefined()
  expect(await part()).toMatchObject({ is_ready: false })

  writeFileSync(join(folder, 'built'), '')
  await eventually('its line', async () => temporal('ready'), 60_000)
  expect(temporal('ready')).toMatchObject({ how: 'built' })
  await eventually('the worker', async () => (await part()).is_ready, 90_000)
})

test('is ready where Temporal cannot be had, and says what waits and what to type', { timeout: 180_000 }, async () => {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'go'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  system = await System.start({
    regions: ['home'],
    env: withoutPip(bin),
  })
  const { events } = system
  const failed = () => events.find(event => event.part === 'temporal' && event.state === 'failed')
  await eventually('the failure is reported', async () => failed(), 30_000)
  expect(failed()).toMatchObject({
    why: expect.stringContaining('life cycles wait in the outbox'),
    fixes: expect.arrayContaining([expect.stringContaining('Go')]),
  })
})
