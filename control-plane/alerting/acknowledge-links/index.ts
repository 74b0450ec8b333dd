import { acknowledgeByLink } from './acknowledge.ts'
import { lookUpAcknowledgeLink } from './look-up.ts'

export const acknowledgeLinks = [lookUpAcknowledgeLink, acknowledgeByLink]
