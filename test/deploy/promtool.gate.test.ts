import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findPromtool } from '#test/support/promtool.ts'

test('each alert fires when it should, and the files are valid, as promtool has it', { timeout: 300_000 }, async () => {
  const run = promisify(execFile)
  const promtool = await findPromtool()
  await run(promtool, ['check', 'rules', 'rules.yaml'], { cwd: 'deploy/prometheus' })
  await run(promtool, ['check', 'config', 'prometheus.yaml'], { cwd: 'deploy/prometheus' })
  const { stdout } = await run(promtool, ['test', 'rules', 'rules.test.yaml'], { cwd: 'deploy/prometheus' })
  expect(stdout).toContain('SUCCESS')
})
