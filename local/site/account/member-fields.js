// Fields of a member, as the forms of accounts have them.

export const EMAIL = { name: "email", label: "이메일", type: "email", autocomplete: "username" };
export const NAME = { name: "name", label: "이름", autocomplete: "name" };
export const NICKNAME = {
  name: "nickname",
  label: "닉네임",
  autocomplete: "nickname",
  note: "20자까지 쓸 수 있고, 다른 회원과 같을 수 없어요.",
};
export const PASSWORD = { name: "password", label: "비밀번호", type: "password", autocomplete: "current-password" };
export const FIRST_PASSWORD = {
  ...PASSWORD,
  autocomplete: "new-password",
  note: "20자까지 쓸 수 있어요. 다른 곳에서 쓰지 않는 비밀번호로 정해 주세요.",
};
export const CURRENT_PASSWORD = { ...PASSWORD, label: "현재 비밀번호" };
export const NEW_PASSWORD = { ...FIRST_PASSWORD, name: "newPassword", label: "새 비밀번호" };
