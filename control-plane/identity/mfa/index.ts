import { confirmMfa } from './confirm.ts'
import { disableMfa } from './disable.ts'
import { getMfa } from './get.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'
import { startMfa } from './start.ts'

export const mfa = [getMfa, startMfa, confirmMfa, renewRecoveryCodes, disableMfa]
