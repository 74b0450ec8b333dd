import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common'
import type { NativeConnection } from '@temporalio/worker'
import type { Logger } from 'pino'
import { tenantAttribute } from './config.ts'

const tenantKey = defineSearchAttributeKey(tenantAttribute, SearchAttributeType.KEYWORD)
const keyword = 2

/** Only ids, because search attributes are not encrypted in Temporal. */
export const searchAttributesOf = (tenantId: string) => new TypedSearchAttributes([{ key: tenantKey, value: tenantId }])

/** Registers the attribute. A server may refuse it: workflows then run too, but cannot be searched by tenant. */
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
    log.warn({ err: error, search_attribute: tenantAttribute }, 'search attribute registration failure')
  }
}

/** Whether a start was refused because the server lacks the search attribute. */
export const isUnknownAttribute = (error: unknown): boolean =>
  error instanceof Error && (/search attribute/i.test(error.message) || isUnknownAttribute(error.cause))
