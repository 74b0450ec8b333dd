import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { notRunHere } from '#cli/commands/test.ts'

test('one line says how many tests a machine cannot run, and which programs it lacks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-path-'))
  try {
    for (const program of ['curl', 'python3', 'unshare', 'apt-get'])
      writeFileSync(join(folder, program), '', { mode: 0o755 })
    expect(notRunHere(21, { PATH: folder })).toBe(
      'not run here: 21 tests; not found: ping (ping checks), php (the receiver in PHP)',
    )
    for (const program of ['ping', 'php']) writeFileSync(join(folder, program), '', { mode: 0o755 })
    expect(notRunHere(1, { PATH: folder })).toBe('not run here: 1 test; the user or the system does not allow them')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
