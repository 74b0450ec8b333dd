import { CallerUnderTest } from '#test/support/app.ts'

/** The same account by another token. */
export const byToken = (of: CallerUnderTest, plain: string) => new CallerUnderTest(of.tenantId, of.userId, plain)
