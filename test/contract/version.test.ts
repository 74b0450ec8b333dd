import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'vedette-version-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const commit = '0123456789abcdef0123456789abcdef01234567'

/** What a tree with these files says of itself. */
function saidBy(name: string, files: Record<string, string>): unknown {
  const folder = join(root, name)
  mkdirSync(join(folder, 'contract'), { recursive: true })
  cpSync('contract/version.ts', join(folder, 'contract', 'version.ts'))
  writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3", "type": "module" }')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const code = `console.log(JSON.stringify(await import(${JSON.stringify(join(folder, 'contract/version.ts'))})))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }))
}

describe('which build runs', () => {
  const known = { version: '1.2.3', revision: commit, build: '1.2.3+0123456789ab' }
  const unknown = { version: '1.2.3', revision: null, build: '1.2.3' }

  test.each<[string, Record<string, string>, object]>([
    ['an image', { revision: `${commit}\n` }, known],
    ['an image whose commit is not known', { revision: 'unknown\n' }, unknown],
    ['a checkout of a branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${commit}\n` }, known],
    [
      'a checkout of a branch that is packed',
      { '.git/HEAD': 'ref: refs/heads/main\n', '.git/packed-refs': `# pack-refs\n${commit} refs/heads/main\n` },
      known,
    ],
    ['a checkout of a commit', { '.git/HEAD': `${commit}\n` }, known],
    [
      'a worktree',
      {
        '.git': `gitdir: ${join(root, 'a worktree', 'shared/worktrees/one')}\n`,
        'shared/worktrees/one/HEAD': 'ref: refs/heads/work\n',
        'shared/worktrees/one/commondir': '../..\n',
        'shared/refs/heads/work': `${commit}\n`,
      },
      known,
    ],
    ['a branch without a commit', { '.git/HEAD': 'ref: refs/heads/main\n' }, unknown],
    ['an archive of the sources', {}, unknown],
  ])('%s says its version and its commit', (name, files, said) => {
    expect(saidBy(name, files)).toEqual(said)
  })
})
