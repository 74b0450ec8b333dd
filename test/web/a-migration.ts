import { importAll, OldProvider } from '#test/control-plane/importing/old-provider.ts'
import { app, type CallerUnderTest } from '#test/support/app.ts'

const csv = 'name,url,type,interval\nShop,https://shop.example.com/,,60\nFax,fax.example.com,fax,60\n'
const robot = { id: 1, friendlyName: 'Old shop', type: 'HTTP', url: 'https://old.example.com/', interval: 300 }

/** A migration with its preview, and one in shadow whose old provider says down where we say up. */
export async function migrationsOf(owner: CallerUnderTest): Promise<string[]> {
  const provider = await OldProvider.open()
  try {
    const previewed = await provider.preview(owner, { provider: 'csv', content: csv })
    provider.handle = () => ({ data: [{ ...robot, status: 'DOWN', currentStateDuration: 7_200 }], nextLink: null })
    const key = { base_url: `${provider.url}/v3`, api_key: 'u1234567' }
    const shadow = await provider.preview(owner, { provider: 'uptimerobot', ...key })
    const monitor = (await importAll(provider, owner, shadow)).get(robot.friendlyName)
    await owner.post(`/migrations/${shadow}/shadow`)
    await app.services.platform.query(
      `update monitors set status = 'up', status_changed_at = now() - interval '1 day' where id = $1`,
      [monitor?.id],
    )
    // what one poll alone sees is no divergence
    for (let poll = 0; poll < 2; poll++) await provider.advance(shadow)
    return [previewed, shadow]
  } finally {
    await provider.close()
  }
}
