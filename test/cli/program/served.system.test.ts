import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandOf } from '#cli/local/identity.ts'
import { programFolder } from '#cli/program/folder.js'
import { serverAgentPaths } from '#contract/server-agent.ts'
import { System } from '#test/support/system.ts'

let system: System
beforeAll(async () => {
  system = await System.start({ regions: ['eu-west'], args: ['--small'] })
}, 150_000)
afterAll(() => system?.stop())

test('a process of the bundle serves the files that lie beside its sources, and what it builds', async () => {
  expect(commandOf(system.partPid('control-plane'))).toContain(programFolder(process.cwd()))
  const paths = ['/api/docs', '/login', '/pages/passkeys.js', '/pages/altcha.js', '/pages/sign-up.js']
  for (const path of [...paths, serverAgentPaths.program]) {
    const response = await fetch(system.local.base_url + path)
    expect(response.status, path).toBe(200)
    expect((await response.text()).length, path).toBeGreaterThan(100)
  }
}, 60_000)

test('a thread and a workflow of the bundle do their work', async () => {
  const { id } = await system.addMonitor({ name: 'site', url: 'https://site.example.com/' })
  const { status, body } = await system.get(`/monitors/${id}/report.pdf`)
  expect(status, JSON.stringify(body).slice(0, 300)).toBe(200)
  expect(body.slice(0, 5)).toBe('%PDF-')

  const gatus = join(system.dataDir, 'gatus.yaml')
  writeFileSync(gatus, 'endpoints:\n  - name: shop\n    url: https://shop.example.com/\n    interval: 60s\n')
  const { body: made } = await system.post('/auth/token', {
    email: system.local.team.email,
    password: system.local.team.password,
    device_name: 'import',
  })
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['cli/vedette.js', 'import', gatus, '--source', 'gatus', '--plan', '--url', system.local.base_url],
    { env: { ...process.env, VEDETTE_TOKEN: made.token } },
  )
  expect(stdout).toContain('shop')
}, 120_000)
