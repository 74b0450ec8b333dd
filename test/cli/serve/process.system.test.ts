import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { openDatabases } from '#test/support/databases.ts'
import { program } from '#test/support/program.ts'

/** A separate process that runs this code once it is signalled. */
async function served(onSignal: string) {
  const { appUrl, platformUrl, clickhouseUrl } = await openDatabases('serve_process')
  const child = spawn(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${onSignal} })`)}`,
      ...program('serve', '--role', 'api'),
    ],
    {
      env: {
        ...process.env,
        DATABASE_URL: appUrl,
        DATABASE_PLATFORM_URL: platformUrl,
        CLICKHOUSE_URL: clickhouseUrl,
        SECRET_KEY: 'a secret key for tests, long enough for all uses',
        HOST: '127.0.0.1',
        PORT: '0',
        METRICS_PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const lines: Record<string, unknown>[] = []
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
  const up = new Promise<void>(resolve => {
    createInterface({ input: child.stdout }).on('line', line => {
      if (!line.startsWith('{')) return
      lines.push(JSON.parse(line))
      if (lines.at(-1)?.msg === 'control plane is up') resolve()
    })
  })
  await Promise.race([up, exited])
  return { child, lines, exited, closed }
}

test.each([
  ['an unhandled rejection', `Promise.reject(new Error('not awaited'))`, 'unhandled rejection'],
  ['an uncaught exception', `setTimeout(() => { throw new TypeError('not caught') })`, 'uncaught exception'],
])(
  '%s ends the process with a line in the log and exit code 1',
  async (_, onSignal, message) => {
    const { child, lines, exited, closed } = await served(onSignal)
    expect(child.exitCode).toBeNull()
    child.kill('SIGUSR2')
    expect(await exited).toBe(1)
    await closed
    expect(lines.find(({ msg }) => msg === message)).toMatchObject({
      level: 'fatal',
      err: { message: expect.stringMatching(/^not (awaited|caught)/) },
    })
  },
  60_000,
)
