import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common'
import type { NativeConnection } from '@temporalio/worker'
import type { Logger } from 'pino'
import { tenantAttribute } from './config.ts'

const tenantKey = defineSearchAttributeKey(tenantAttribute, SearchAttributeType.KEYWORD)
const keyword = 2

/** Ids only: what can be searched lies open in Temporal. */
export const searchAttributesOf = (tenantId: string) => new TypedSearchAttributes([{ key: tenantKey, value: tenantId }])

/** On a server that is not ours to configure it may be refused: processes then run all the same, and are not found by tenant. */
export async function registerSearchAttributes(
  connection: Pick<NativeConnection, 'operatorService'>,
  namespace: string,
  log: Logger,
): Promise<void> {
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
    if (customAttributes?.[tenantAttribute]) return
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: { [tenantAttribute]: keyword },
    })
  } catch (error) {
    log.warn(
      { err: error, search_attribute: tenantAttribute },
      'a search attribute could not be registered in Temporal',
    )
  }
}

/** Whether a process was refused because the server does not know what we search by. */
export const isUnknownAttribute = (error: unknown): boolean =>
  error instanceof Error && (/search attribute/i.test(error.message) || isUnknownAttribute(error.cause))
