import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** A column of each of five entities, with the files whose typed queries name it. */
const renamed = {
  'control-plane/reselling/monitor-templates/entity.ts': {
    property: 'variables',
    users: ['control-plane/reselling/monitor-templates/find.ts', 'control-plane/reselling/monitor-templates/create.ts'],
  },
  'control-plane/reselling/provisioning-profiles/entity.ts': {
    property: 'monitorTemplateId',
    users: [
      'control-plane/reselling/provisioning-profiles/find.ts',
      'control-plane/reselling/monitor-templates/delete.ts',
    ],
  },
  'control-plane/tenancy/tenants/entity.ts': {
    property: 'featureOverrides',
    users: ['control-plane/tenancy/plans/overrides.ts', 'control-plane/tenancy/tenants/create.ts'],
  },
  'control-plane/monitoring/monitors/entity.ts': {
    property: 'heldByPlan',
    users: ['control-plane/tenancy/plans/kept-monitors.ts'],
  },
  'control-plane/outbox/entity.ts': { property: 'entityType', users: ['control-plane/tenancy/audit-log/filters.ts'] },
}

test('a column that is renamed in its entity is a compile error in every typed query that names it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-columns-'))
  try {
    for (const name of ['contract', 'egress', 'checks', 'analytics', 'control-plane', 'package.json', 'tsconfig.json'])
      cpSync(name, join(folder, name), { recursive: true })
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
    for (const [file, { property }] of Object.entries(renamed)) {
      const text = readFileSync(join(folder, file), 'utf8')
      expect(text, file).toContain(`    ${property}:`)
      writeFileSync(join(folder, file), text.replace(`    ${property}:`, `    ${property}Renamed:`))
    }
    const files = Object.values(renamed).flatMap(({ users }) => users)
    writeFileSync(
      join(folder, 'users.json'),
      JSON.stringify({ extends: './tsconfig.json', include: [], files }), // all files take eight times as long
    )
    const report = await new Promise<string>(resolve => {
      const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc')
      execFile(
        process.execPath,
        [tsc, '--project', 'users.json', '--noEmit'],
        { cwd: folder, maxBuffer: 2 ** 26 },
        (_, out) => resolve(out),
      )
    })
    const wrong = new Set([...report.matchAll(/^(\S+?)\(\d+,\d+\): error TS/gm)].map(([, file]) => file))
    expect([...wrong].sort()).toEqual(expect.arrayContaining(files))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 600_000)
