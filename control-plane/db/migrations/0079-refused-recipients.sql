-- the mail server says that this address has no mailbox; null again once a mail to it is taken
alter table mail_recipients add column refused_at timestamptz;
