import { resellerDomains } from './domains.ts'
import { getPortal, getResellerPortal } from './get.ts'
import { updatePortal, updateResellerPortal } from './update.ts'

export const portal = [getPortal, updatePortal, getResellerPortal, updateResellerPortal, ...resellerDomains]
