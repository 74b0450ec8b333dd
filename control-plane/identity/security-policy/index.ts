import { getSecurityPolicy } from './get.ts'
import { updateSecurityPolicy } from './update.ts'

export const securityPolicy = [getSecurityPolicy, updateSecurityPolicy]
