import { askForDomain } from './ask.ts'
import { createCustomDomain } from './create.ts'
import { deleteCustomDomain } from './delete.ts'
import { getCustomDomain } from './get.ts'
import { listCustomDomains } from './list.ts'
import { updateCustomDomain } from './update.ts'
import { verifyCustomDomain } from './verify.ts'

export const customDomains = [
  listCustomDomains,
  createCustomDomain,
  getCustomDomain,
  updateCustomDomain,
  deleteCustomDomain,
  verifyCustomDomain,
  askForDomain,
]
