-- single sign-on by SAML: the provider's address for requests, its certificates, and where it states the e-mail address
alter table sso_configs
  add column sign_in_url varchar(1000),
  add column certificates text[] not null default '{}',
  -- null: the name id is the address
  add column email_attribute varchar(255);

-- the person that the answer of a SAML provider states, until the browser that began the sign-in ends it
alter table sso_logins add column answer jsonb;
