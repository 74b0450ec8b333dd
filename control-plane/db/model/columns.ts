import { p, Type } from '@mikro-orm/core'

/**
 * A moment as PostgreSQL writes it, with microseconds: `2026-01-31 09:30:00.123456+00`. A `Date` would lose three
 * digits.
 */
class Timestamp extends Type<string, string> {
  override getColumnType(): string {
    return 'timestamptz'
  }

  override get runtimeType(): string {
    return 'string'
  }
}

export const timestamp = () => p.type(Timestamp)
