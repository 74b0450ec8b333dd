import { deleteTrustedDevice, deleteTrustedDevices } from './delete.ts'
import { listTrustedDevices } from './list.ts'

export const trustedDevices = [listTrustedDevices, deleteTrustedDevice, deleteTrustedDevices]
