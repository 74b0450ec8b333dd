import type { Keyring } from '#control-plane/base/secrets.ts'
import { inSlices } from '#control-plane/base/slices.ts'
import { rows } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { decryptAddress } from './address.ts'
import { mayRead, type Reader, readerSql } from './reader.ts'

type Subscribed = Reader & { id: string; address: string }

/** How many active subscribers of a page may not read it as it is now: they get no updates. */
export async function countWithoutAccess(
  { em, tenant, services: { config } }: Pick<RequestContext, 'em' | 'tenant' | 'services'>,
  page: { id: string },
): Promise<number> {
  const active = await rows(em)<Subscribed>`select s.id, s.address, ${readerSql}
    from status_page_subscribers s join status_pages p on p.id = s.page_id
    where s.tenant_id = ${tenant.id} and s.page_id = ${page.id} and s.state = 'active'`
  return inSlices(strangersAmong(active, config))
}

function* strangersAmong(subscribed: readonly Subscribed[], keys: Keyring): Generator<undefined, number> {
  let strangers = 0
  for (const row of subscribed) {
    if (!isReader(row, keys)) strangers++
    yield
  }
  return strangers
}

function isReader(row: Subscribed, keys: Keyring): boolean {
  try {
    return mayRead(row, decryptAddress(keys, row.id, row.address))
  } catch {
    // nothing can be sent to an address that cannot be decrypted
    return false
  }
}
