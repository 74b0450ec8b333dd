import { spawn } from 'node:child_process'
import pg from 'pg'
import { expect, test } from 'vitest'
import { isTemporalServing } from '#cli/local/loopback.ts'
import { freePort } from '#test/support/free-port.ts'
import { store } from '#test/support/stores.ts'
import { eventually } from '#test/support/system.ts'

test('PostgreSQL 18 answers, stores UTF-8 and runs as an unprivileged user', async () => {
  const { ownerUrl } = await store('postgres')
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const { rows } = await client.query<{ version: string; encoding: string; word: string }>(
    `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
     upper('grün') as word`,
  )
  await client.end()
  expect(rows[0]?.version).toMatch(/^18\./)
  expect(rows[0]).toMatchObject({ encoding: 'UTF8', word: 'GRÜN' })
})

test('Temporal serves its front end', async () => {
  const { address } = await store('temporal')
  expect(await isTemporalServing(address)).toBe(true)
})

test('the time-skipping server is a native program, which serves without Java', async () => {
  const { path } = await store('timeSkipping')
  const port = await freePort()
  const server = spawn(path, [String(port)], { stdio: 'ignore', env: { PATH: '/nowhere' } })
  try {
    await eventually('its front end', () => isTemporalServing(`127.0.0.1:${port}`), 30_000)
  } finally {
    server.kill('SIGKILL')
  }
})
