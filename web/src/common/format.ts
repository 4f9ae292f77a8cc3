// Numbers as text. Data may hold null where a number was not finite.

export type Num = number | null;

export const kMissing = "–";

export const isNumber = (v: unknown): v is number => typeof v === "number" && Number.isFinite(v);

/** Three digits that matter, without exponents for the sizes that people read. */
export function num(value: Num | undefined, digits = 3): string {
  if (!isNumber(value)) return kMissing;
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(digits - 1).replace("e+", "e");
  if (size >= 10 ** digits) return Math.round(value).toString();
  return value.toPrecision(digits).replace("-", "−");
}

export function fixed(value: Num | undefined, decimals: number): string {
  return isNumber(value) ? value.toFixed(decimals).replace("-", "−") : kMissing;
}

export function plusMinus(value: Num | undefined, error: Num | undefined, decimals = 2): string {
  if (!isNumber(value)) return kMissing;
  return isNumber(error) ? `${fixed(value, decimals)} ± ${fixed(error, decimals)}` : fixed(value, decimals);
}

/** A share as percent; what is small but not zero is not shown as zero. */
export function percent(share: Num | undefined): string {
  if (!isNumber(share)) return kMissing;
  const p = 100 * share;
  if (p > 0 && p < 0.1) return "<0.1 %";
  if (p < 100 && p > 99.9) return ">99.9 %";
  return `${p < 10 || p > 90 ? Number(p.toFixed(1)) : Math.round(p)} %`;
}

/** 217187 as "217 187", with narrow spaces. */
export function count(value: Num | undefined): string {
  if (!isNumber(value)) return kMissing;
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/** A probability: 0.93, and never a bare 0 or 1 for what is neither. */
export function probability(p: Num | undefined): string {
  if (!isNumber(p)) return kMissing;
  if (p > 0 && p < 0.001) return "<0.001";
  if (p < 1 && p > 0.999) return ">0.999";
  return p.toFixed(3);
}

const superscript = (v: number): string => String(v).replace("-", "⁻").replace(/\d/g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(d)] ?? d);

/** A power of ten by its exponent: 0.01, 1, 100, 10⁶. */
export const powerOfTen = (exponent: number): string =>
  Math.abs(exponent) <= 3 ? String(Number((10 ** exponent).toPrecision(1))) : `10${superscript(exponent)}`;
