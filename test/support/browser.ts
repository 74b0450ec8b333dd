import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { defaultChromium } from '#checks/lighthouse/parts.ts'
import { messageOf } from '#cli/fault.ts'
import { cacheFolders } from '#cli/local/cache.ts'
import { keep, unpackDebian } from './debian.ts'

const run = promisify(execFile)
const version = '13.5.0'

export type Browser = { chromium: string; lighthouse: string; missing?: undefined } | { missing: string }

/**
 * A browser and Lighthouse for the tests of audits: where they are installed, kept from before, or fetched, both into
 * the cache and neither into the system. Without a network there are none, and the tests prove what is said then.
 */
export async function obtainBrowser(signal: AbortSignal): Promise<Browser> {
  const [cache = tmpdir()] = cacheFolders()
  try {
    // one after the other: beside them run tests, which need the processor
    return {
      chromium: defaultChromium() ?? (await fetchChromium(cache, signal)),
      lighthouse: await fetchLighthouse(cache, signal),
    }
  } catch (error) {
    return { missing: messageOf(error).split('\n').filter(Boolean).slice(0, 3).join(' ') }
  }
}

async function fetchLighthouse(cache: string, signal: AbortSignal): Promise<string> {
  const folder = join(cache, `lighthouse-${version}`)
  if (!existsSync(folder))
    await keep(folder, async draft => {
      await writeFile(join(draft, 'package.json'), '{ "private": true }')
      const words = [
        'install',
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        '--no-package-lock',
        '--loglevel=error',
        `lighthouse@${version}`,
      ]
      await run('nice', ['npm', ...words], { cwd: draft, signal, timeout: 180_000 })
    })
  return folder
}

/** Debian’s packages of Chromium and of what it needs that is not installed, unpacked and not installed. */
async function fetchChromium(cache: string, signal: AbortSignal): Promise<string> {
  const folder = join(cache, 'chromium-debian')
  const start = join(folder, 'start')
  if (existsSync(start)) return start
  await keep(folder, async draft => {
    await unpackDebian(draft, ['chromium', 'fonts-liberation'], signal)
    await writeFile(
      join(draft, 'fonts.conf'),
      `<fontconfig><dir>/usr/share/fonts</dir><dir>${folder}/root/usr/share/fonts</dir><cachedir>${folder}/fonts</cachedir></fontconfig>\n`,
    )
    await writeFile(
      join(draft, 'start'),
      [
        '#!/bin/sh',
        'here=$(dirname "$0")',
        'export FONTCONFIG_FILE="$here/fonts.conf"',
        'export LD_LIBRARY_PATH=$(echo "$here"/root/usr/lib/*-linux-gnu "$here"/root/usr/lib/*-linux-gnu/pulseaudio | tr " " :)',
        'exec "$here/root/usr/lib/chromium/chromium" "$@"',
        '',
      ].join('\n'),
    )
    await chmod(join(draft, 'start'), 0o755)
    await run(join(draft, 'start'), ['--version'], { signal, timeout: 30_000 })
  })
  return start
}
