import { z } from 'zod'
import { sentence } from '#contract/sentences.ts'

/** Of all schemas at once, as settings of checks and channels are read by schemas of their own. */
z.config({ customError: sentence })
