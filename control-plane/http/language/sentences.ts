import { z } from 'zod'
import { issueMessage } from '#contract/validation-messages.ts'

/** Of all schemas at once, as settings of checks and channels are read by schemas of their own. */
z.config({ customError: issueMessage })
