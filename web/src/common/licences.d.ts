// The licences of the packages inside a bundle; web/build.mjs makes the text.
declare module "licences" {
  const text: string;
  export default text;
}
declare module "*.css";
