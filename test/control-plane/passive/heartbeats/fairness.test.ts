import { expect, test } from 'vitest'
import { PingIntake } from '#control-plane/passive/heartbeats/intake.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

async function anAddress(of: CallerUnderTest): Promise<string> {
  const { body, status, text } = await of.post('/cron-monitors', { name: 'Job', schedule: '30 2 * * *' })
  expect(status, text).toBe(201)
  return new URL(body.data.ping_url).pathname.split('/').at(-1) ?? ''
}

test('thousands of pings of one tenant that wait to be stored do not delay another tenant’s', async () => {
  const [hog, other] = [await given.tenant({ overrides: { monitors: null } }), await given.tenant()]
  const addresses: string[] = []
  for (let n = 0; n < 20; n++) addresses.push(await anAddress(hog))
  const own = await anAddress(other)
  const intake = new PingIntake(app.services)
  const ping = (address: string) =>
    intake.take({ state: 'start', runId: null, exitCode: null, output: null, address, method: 'POST', ip: '192.0.2.1' })
  for (const address of [...addresses, own]) expect(await ping(address)).not.toBeNull()

  let stored = 0
  const flood = Array.from({ length: 6_000 }, (_, n) => ping(addresses[n % addresses.length]!).then(() => stored++))
  await flood[0]
  await ping(own)
  // two groups of five hundred were under way, and the next has it
  expect(stored).toBeLessThan(3_000)
  await Promise.all(flood)
  expect(stored).toBe(6_000)
}, 60_000)
