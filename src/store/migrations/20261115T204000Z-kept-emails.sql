-- A link to the old e-mail address of a user who changes it, by which its owner keeps it, or takes it back.
alter table user_links
  drop constraint user_links_purpose_check,
  add constraint user_links_purpose_check check (
    purpose in ('confirm-email', 'new-email', 'release-email', 'keep-email', 'reset-password', 'invitation')
  );
