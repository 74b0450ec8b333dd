import { getPartnerSso } from './get.ts'
import { createSsoLink } from './link.ts'
import { rotatePartnerSecret } from './rotate-secret.ts'
import { updatePartnerSso } from './update.ts'

export const partnerSso = [getPartnerSso, updatePartnerSso, rotatePartnerSecret, createSsoLink]
