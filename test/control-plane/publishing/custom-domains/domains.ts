import { randomUUID } from 'node:crypto'
import { a, DnsServer } from '#test/egress/dns-server.ts'
import { app, type CallerUnderTest } from '#test/support/app.ts'

const { platform } = app.services

/** A hostname that no other test uses. */
export const aHostname = () => `status-${randomUUID()}.example.com`

/** A status page, put into the table. */
export async function aPage(team: { tenantId: string }): Promise<string> {
  const id = randomUUID()
  await platform.query(
    `insert into status_pages (id, tenant_id, name, slug, state) values ($1, $2, 'Acme status', $3, 'published')`,
    [id, team.tenantId, `page-${id}`],
  )
  return id
}

export async function aDomain(team: CallerUnderTest, changes: Record<string, unknown> = {}) {
  const { status, body } = await team.post('/custom-domains', { hostname: aHostname(), ...changes })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data
}

/** A name server with the records of hostnames; a name that is not set does not exist. */
export class Zone {
  readonly texts = new Map<string, string[]>()
  readonly aliases = new Map<string, string>()
  readonly addresses = new Map<string, string[]>()
  isAnswering = true
  #server!: DnsServer

  static async open(): Promise<Zone> {
    const zone = new Zone()
    zone.#server = await DnsServer.open((name, type) => {
      if (!zone.isAnswering) return 'servfail'
      if (type === 'TXT')
        return (zone.texts.get(name) ?? []).map(data => ({ type: 'TXT' as const, name, ttl: 0, data }))
      const alias = zone.aliases.get(name)
      if (alias !== undefined) return [{ type: 'CNAME' as const, name, ttl: 0, data: alias }]
      if (type === 'A' && zone.addresses.has(name)) return a(name, ...(zone.addresses.get(name) ?? []))
      return zone.texts.has(name) ? [] : 'nxdomain'
    })
    return zone
  }

  get guard() {
    return { servers: [this.#server.address] }
  }

  /** Sets the records that a domain asks for. */
  set({ hostname, dns }: { hostname: string; dns: { cname: string; txt_name: string; txt_value: string } }): void {
    this.texts.set(dns.txt_name, ['v=spf1 -all', dns.txt_value])
    this.aliases.set(hostname, dns.cname)
  }

  close(): void {
    this.#server.close()
  }
}
