import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeUnused, webFolder } from '#cli/local/web.ts'

test('a new build deletes those that no start has used for a week, and nothing else', () => {
  const cache = mkdtempSync(join(tmpdir(), 'vedette-web-'))
  onTestFinished(() => rmSync(cache, { recursive: true }))
  const folder = (name: string, days: number) => {
    mkdirSync(join(cache, name))
    const used = Date.now() / 1_000 - days * 86_400
    utimesSync(join(cache, name), used, used)
    return join(cache, name)
  }
  const built = folder('web-0000000000000000', 30)
  folder('web-1111111111111111', 8)
  folder('web-2222222222222222', 6)
  folder('web-3333333333333333-aB3x9Z', 8)
  folder('chromium-153.0.0', 400)
  removeUnused(built)
  expect(readdirSync(cache).sort()).toEqual(['chromium-153.0.0', 'web-0000000000000000', 'web-2222222222222222'])
})

test('the folder of a build is named by its sources, wherever the checkout is', () => {
  expect(webFolder({ ...process.env, WEB_FOLDER: undefined })).toMatch(/web-[0-9a-f]{16}$/)
  expect(webFolder({ WEB_FOLDER: '/srv/web' })).toBe('/srv/web')
})
