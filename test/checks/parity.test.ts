import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { kinds } from '#checks/index.ts'
import { runCheck } from '#checks/probes.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { http } from '#test/checks/servers.ts'

const run = promisify(execFile)
const guard = new Guard(parseAllowList('127.0.0.0/8'))
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)
const curl = async (...words: string[]) => (await run('curl', ['--silent', '--max-time', '5', ...words])).stdout

/** What we say beside what curl says; shown where the reporter shows what tests print. */
function beside(rows: [what: string, ours: string, curls: string][]) {
  console.info(rows.map(([what, ours, curls]) => `${what.padEnd(30)} ${ours.padEnd(50)} ${curls}`).join('\n'))
  for (const [what, ours, curls] of rows) expect(ours, what).toBe(curls)
}

describe.runIf(hasCurl)('beside curl', () => {
  test.each([0, 1, 3, 7])('a chain of %i redirects has the same hops and the same end', async length => {
    await using server = await http((request, response) => {
      const step = Number(request.url?.slice(1))
      if (step < length)
        response.writeHead([301, 302, 303, 307, 308][step % 5] ?? 302, { location: `/${step + 1}` }).end()
      else response.end('here')
    })
    const url = `http://127.0.0.1:${server.port}/0`
    const result = await runCheck('redirect_chain', { url }, kinds.redirect_chain.settings.parse({}), {
      guard,
      timeoutMs: 5_000,
      now: Date.now,
    })
    const seen = kinds.redirect_chain.seen.parse(result.seen)
    const heads = await curl('--location', '--max-redirs', '20', '--output', '/dev/null', '--dump-header', '-', url)
    const [count, end, version] = (
      await curl(
        '--location',
        '--output',
        '/dev/null',
        '--write-out',
        '%{num_redirects} %{url_effective} %{http_version}',
        url,
      )
    ).split(' ')
    beside([
      [
        'statuses',
        seen.hops.map(({ status }) => status).join(' '),
        [...heads.matchAll(/^HTTP\/\S+ (\d+)/gm)].map(([, status]) => status).join(' '),
      ],
      ['redirects', String(seen.hops.length - 1), count ?? ''],
      ['end', seen.final_url, end ?? ''],
      ['protocol', seen.hops.at(-1)?.protocol ?? '', `HTTP/${version}`],
    ])
  })

  test('a circle and a chain too long are none to curl either', async () => {
    await using server = await http((request, response) =>
      response.writeHead(302, { location: request.url === '/circle' ? '/circle' : `${request.url}x` }).end(),
    )
    for (const [path, end] of [
      ['/circle', 'loop'],
      ['/on', 'too_many'],
    ]) {
      const url = `http://127.0.0.1:${server.port}${path}`
      const result = await runCheck('redirect_chain', { url }, kinds.redirect_chain.settings.parse({}), {
        guard,
        timeoutMs: 5_000,
        now: Date.now,
      })
      const curls = await curl('--location', '--max-redirs', '20', '--output', '/dev/null', url).then(
        () => 0,
        (error: { code?: number }) => error.code,
      )
      beside([[String(path), `${result.seen?.end} (47)`, `${end} (${curls})`]])
    }
  })

  test('the headers judged are the headers sent', async () => {
    const headers = {
      'content-security-policy': "default-src 'self'; script-src 'self' 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-resource-policy': 'same-origin',
    }
    await using server = await http((_, response) =>
      response.writeHead(200, { ...headers, 'content-type': 'text/html' }).end('<p>hello'),
    )
    const url = `http://127.0.0.1:${server.port}/`
    const result = await runCheck('security_headers', { url }, kinds.security_headers.settings.parse({}), {
      guard,
      timeoutMs: 5_000,
      now: Date.now,
    })
    const seen = kinds.security_headers.seen.parse(result.seen)
    const head = await curl('--output', '/dev/null', '--dump-header', '-', url)
    const sent = new Map(
      [...head.matchAll(/^([\w-]+): (.*?)\r?$/gm)].map(([, name = '', value = '']) => [name.toLowerCase(), value]),
    )
    beside(
      Object.keys(headers).map(
        name =>
          [name, seen.findings.find(finding => finding.name === name)?.value ?? '', sent.get(name) ?? ''] as [
            string,
            string,
            string,
          ],
      ),
    )
    console.info(
      seen.findings.map(({ name, result, score }) => `${name.padEnd(30)} ${result.padEnd(70)} ${score}`).join('\n'),
      `\n${seen.grade} ${seen.score}`,
    )
    // by the Observatory's table: 100 - 20 (inline scripts) - 20 (no https) - 20 (no redirect to it)
    expect([seen.grade, seen.score]).toEqual(['D+', 40])
  })
})
