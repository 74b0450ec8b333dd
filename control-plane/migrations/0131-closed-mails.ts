import { Migration } from '@mikro-orm/migrations'

/** Mail that is kept here and holds a link that opens a door is encrypted; what lies here in the clear from before goes. */
export class ClosedMails extends Migration {
  override up(): void {
    this.addSql(`
alter table caught_mails add column is_encrypted boolean not null default false;
delete from caught_mails where type in ('invitation', 'password_reset', 'email_change_verify', 'digest', 'monthly_report')`)
  }
}
