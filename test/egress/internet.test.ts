import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const space = ['--net', '--mount', '--propagation', 'private']

/** Making namespaces takes root, and a kernel that lets us. */
const canUnshare = (() => {
  try {
    execFileSync('unshare', [...space, 'ip', 'link'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test.runIf(canUnshare)(
  'the guard with production settings reaches public addresses only, on a simulated internet',
  async () => {
    const script =
      'mount -t tmpfs none /mnt && : > /mnt/resolv.conf && mount --bind /mnt/resolv.conf /etc/resolv.conf && exec "$0" test/egress/internet.ts'
    const { stdout } = await promisify(execFile)('unshare', [...space, 'sh', '-c', script, process.execPath], {
      timeout: 50_000,
    })
    expect(JSON.parse(stdout)).toEqual({
      public: 200,
      literal: 200,
      gone: 'dns_not_found in dns',
      dead: 'timeout in connect',
      lame: 200,
      flips: { 200: 500, blocked: 500 },
      lookups: 1_000,
      mixed: 'blocked',
      inside: 'blocked',
      redirects: { blocked: 45 },
      hits: 0,
      naive: expect.toSatisfy((reached: number) => reached > 0, 'the control is beaten'),
      asked: expect.any(Number),
    })
  },
  60_000,
)
