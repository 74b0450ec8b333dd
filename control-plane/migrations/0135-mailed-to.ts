import { Migration } from '@mikro-orm/migrations'

/** Which recipients of an e-mail channel have a message already, so that another attempt is made for the others alone. Marks, not addresses. */
export class MailedTo extends Migration {
  override up(): void {
    this.addSql(
      `alter table deliveries add column mailed_to text[] not null default '{}'; grant update (mailed_to) on deliveries to vedette_app`,
    )
  }
}
