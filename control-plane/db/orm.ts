import { type EntitySchema, MikroORM } from '@mikro-orm/postgresql'
import { reclaimDeadConnections, requestTimeouts, throughPooler } from '#control-plane/base/db-timeouts.ts'
import { TransactionClient } from '#control-plane/base/transaction-client.ts'
import type { Config } from '#control-plane/config.ts'
import { entities } from './model/index.ts'

/** The API's connection: the service role, bound by row security; a session context per request decides the tenant. */
export const openOrm = (
  config: Pick<Config, 'databaseUrl' | 'poolSize'> & Partial<Pick<Config, 'directUrl'>>,
  cutOff?: AbortSignal,
) =>
  MikroORM.init({
    clientUrl: config.databaseUrl,
    entities: [...entities] as EntitySchema[],
    pool: { min: 0, max: config.poolSize },
    driverOptions: {
      application_name: 'vedette-api',
      Client: TransactionClient,
      ...(cutOff && { cutOff: () => cutOff }),
      onPoolCreated: reclaimDeadConnections,
      ...throughPooler(requestTimeouts, config.directUrl !== undefined),
    },
    discovery: { warnWhenNoEntities: false },
    forceUtcTimezone: true,
    debug: false,
  })
