import { eraseMember } from './erase-member.ts'
import { eraseSelf } from './erase-self.ts'

export const erasure = [eraseMember, eraseSelf]
