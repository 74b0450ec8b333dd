import { openStream } from './open.ts'

export const stream = [openStream]
