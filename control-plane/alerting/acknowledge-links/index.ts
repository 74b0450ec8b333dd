import { acknowledgeByLink } from './acknowledge.ts'
import { lookUpAcknowledgeLink, lookUpResolveLink } from './look-up.ts'
import { resolveByLink } from './resolve.ts'

export const acknowledgeLinks = [lookUpAcknowledgeLink, acknowledgeByLink, lookUpResolveLink, resolveByLink]
