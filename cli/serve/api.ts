import type { RequestListener } from 'node:http'
import { recogniseDirectory } from '#control-plane/access/scim/recognise.ts'
import { authenticate } from '#control-plane/access/tokens/authenticate.ts'
import { openOrm } from '#control-plane/db/orm.ts'
import { endpoints as all } from '#control-plane/endpoints.ts'
import type { AccessLookup } from '#control-plane/http/access/lookup.ts'
import { createApp } from '#control-plane/http/app.ts'
import type { Table } from '#control-plane/http/dispatch.ts'
import type { Endpoint } from '#control-plane/http/endpoint.ts'
import { showRefusal } from '#control-plane/identity/pages/show-refusal.ts'
import { streamHubOf } from '#control-plane/monitoring/stream/hub.ts'
import { startReadiness } from '#control-plane/passive/heartbeats/readiness.ts'
import { recogniseServer } from '#control-plane/passive/servers/recognise.ts'
import { findTeam } from '#control-plane/reselling/managed-teams/find.ts'
import { originAtHost } from '#control-plane/tenancy/portal-hosts/hosts.ts'
import { findTenant } from '#control-plane/tenancy/tenants/context.ts'
import { pageRouters } from './page-routers.ts'
import type { OwnServices } from './services.ts'

export interface Api {
  /** Answers what the table leaves to it. */
  koa: RequestListener
  /** Ends the streams, which no end of a request would. */
  endStreams(): Promise<void>
  close(): Promise<void>
}

/**
 * The API role: Koa with the endpoints of every module, which are added to `table`, and the authentication that the
 * modules provide.
 */
export async function openApi(services: OwnServices, table: Table, endpoints: readonly Endpoint[] = all): Promise<Api> {
  const { config, platform, cutOff } = services
  await using opened = new AsyncDisposableStack()
  const orm = opened.adopt(await openOrm(config, cutOff.signal), it => it.close())
  const lookup: AccessLookup = {
    authenticate: authenticate(services),
    server: bearer => recogniseServer(services.accessPool, bearer),
    scim: bearer => recogniseDirectory(platform, bearer),
    tenant: id => findTenant(platform, id),
    managedTeam: id => findTeam(platform, id),
  }
  const mounting = { em: orm.em, lookup, services, originAt: originAtHost(services) }
  const koa = createApp(endpoints, mounting, pageRouters(mounting), showRefusal(services), table).callback()
  opened.adopt(startReadiness(services), readiness => readiness.stop())
  const api = opened.move()
  return { koa, endStreams: () => streamHubOf(services).stop(), close: () => api.disposeAsync() }
}
