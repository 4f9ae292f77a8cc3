#include "imaging/pet/fit/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/option.hpp"
#include "base/suggest.hpp"
#include "base/version.hpp"
#include "evident/base/error.hpp"
#include "imaging/nifti/nifti.hpp"
#include "imaging/pet/blood/delay.hpp"
#include "imaging/pet/fit/priors.hpp"
#include "imaging/pet/io/tacs.hpp"
#include "tables/table.hpp"

namespace evident::imaging {
namespace {

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

PetFrames frames_of(const PetPlan& plan) {
  PetFrames frames = pet_frames(plan.scan);
  if (plan.averages_frames()) {
    if (plan.scan.mid_times_only)
      throw InputError(option("frame", "average") +
                       " needs frame starts and durations; the table has the middles only");
    frames.start = plan.scan.timing.start;
    frames.duration = plan.scan.timing.duration;
  }
  return frames;
}

/// The mean of the curves without NaN or infinity. Throws when most have some: then it is the image that is wrong.
std::vector<double> mean_of(const Curves& curves, const std::string& where, std::vector<std::string>& warnings) {
  std::vector<double> mean(curves.frames);
  std::size_t good = 0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const std::vector<double> curve = curves.curve(i);
    if (!std::ranges::all_of(curve, [](double v) { return std::isfinite(v); })) continue;
    ++good;
    for (std::size_t f = 0; f < curve.size(); ++f) mean[f] += curve[f];
  }
  const std::size_t bad = curves.size() - good;
  if (2 * bad > curves.size())
    throw InputError(
        fmt::format("{}: {} of {} curves hold NaN or infinity, which is most of them; mend the image or "
                    "use a mask that leaves them out",
                    where, bad, curves.size()));
  if (bad > 0)
    warnings.push_back(fmt::format("{} of {} curves hold NaN or infinity and are skipped", bad, curves.size()));
  for (double& v : mean) v /= static_cast<double>(good);
  return mean;
}

/// Returns warnings.
std::vector<std::string> read_voxels_of(PetPlan& plan) {
  Voxels voxels = read_voxels(plan.request, plan.scan, plan.geometry);
  plan.curves = std::move(voxels.curves);
  plan.atlas = std::move(voxels.atlas);
  plan.label_names = std::move(voxels.label_names);
  return std::move(voxels.warnings);
}

void read_image(PetPlan& plan) {
  const PetRequest& r = plan.request;
  NiftiReader header(r.image);
  if (header.frames() < 2)
    throw InputError(fmt::format("{}: this is a single volume ({}); a dynamic image with several frames is needed",
                                 r.image.string(), shape_text(header.geometry())));
  plan.geometry = header.geometry();
  append(plan.warnings, header.warnings());
  plan.scan = read_scan(r.image.string(), header.frames(), r.scan);
  append(plan.warnings, read_voxels_of(plan));
}

template <class T>
std::uint64_t sum_of(const std::vector<T>& values) {
  Fingerprint f;
  f.add(std::as_bytes(std::span(values)));
  return f.value();
}

std::uint64_t sum_of(const Curves& curves) { return sum_of(curves.values) ^ sum_of(curves.index); }

/// Places of the regions asked for, in the order of the table.
std::vector<std::size_t> wanted_regions(const TacTable& tacs, const std::vector<std::string>& wanted) {
  const std::vector<std::string_view> names(tacs.regions.begin(), tacs.regions.end());
  for (const std::string& w : wanted) {
    if (std::ranges::find(names, w) != names.end()) continue;
    const std::string hint = did_you_mean(w, names);
    constexpr std::size_t kShown = 10;
    const auto shown = std::span(names).first(std::min(kShown, names.size()));
    throw InputError(fmt::format(
        "{}: {} has no region '{}'{}", option("region"), tacs.file, w,
        !hint.empty() ? hint
                      : fmt::format("; it has {}{}", fmt::join(shown, ", "), names.size() > kShown ? ", ..." : "")));
  }
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (wanted.empty() || std::ranges::find(wanted, names[k]) != wanted.end()) out.push_back(k);
  return out;
}

void read_table(PetPlan& plan) {
  const PetRequest& r = plan.request;
  const TacTable tacs = read_tacs(r.tacs.string(), {.time_unit = r.scan.time_unit, .activity_unit = r.scan.units});
  plan.scan = read_scan(tacs, r.scan);
  plan.curves.frames = plan.scan.used.size();
  for (const std::size_t k : wanted_regions(tacs, r.regions)) {
    plan.regions.push_back(tacs.regions[k]);
    plan.curves.index.push_back(k);  // its place in the file: the result does not depend on what else is asked for
    for (std::size_t f = 0; f < plan.curves.frames; ++f)
      plan.curves.values.push_back(static_cast<float>(tacs.activity[k][plan.scan.used[f]] * plan.scan.frame_factor[f]));
  }
}

InputFunction read_input(const PetPlan& plan) {
  const PetRequest& r = plan.request;
  BloodOptions options = blood_options(plan.scan);
  options.plasma_from_blood = r.plasma_from_blood;
  options.tail_limit = r.tail_limit;
  options.activity_unit = r.blood_units;
  options.time_unit = r.scan.time_unit;
  if (!r.input_function.empty() && !r.blood.empty())
    throw InputError(
        fmt::format("{} and {} exclude each other; give one of them", option("input_function"), option("blood")));
  if (!r.input_function.empty()) return read_input_function(r.input_function, options);
  if (r.blood.empty())
    throw InputError(fmt::format("an arterial input is needed: give {} (BIDS _blood.tsv) or {}",
                                 option("blood", "FILE"), option("input_function", "FILE")));
  return read_blood(r.blood, options);
}

void choose_models(PetPlan& plan) {
  const std::size_t frames = plan.curves.frames;
  for (const std::size_t m : plan.request.models) {
    PetOptions options = pet_prior(plan.request.prior, m, plan.scan.remaining_decay());
    if (plan.request.noise) options.noise = *plan.request.noise;
    // Normal noise: the precision is integrated out, which is exact and saves a third of the work.
    options.marginal_precision = options.noise == PetNoise::normal;
    options.scale = Scale::logit;
    const std::size_t parameters = 2 * m + (options.noise == PetNoise::student ? 2 : 1), needed = parameters + 2;
    if (frames < needed) {
      plan.warnings.push_back(fmt::format("{}TCM is left out: it has {} parameters and needs {} frames, there are {}",
                                          m, parameters, needed, frames));
      continue;
    }
    plan.models.push_back(std::move(options));
  }
  if (plan.models.empty())
    throw InputError(fmt::format("{} frames are too few for every model that was asked for", frames));
}

}  // namespace

PetPlan make_plan(const PetRequest& request) {
  if (request.image.empty() == request.tacs.empty())
    throw InputError(fmt::format("give either {} (a dynamic image) or {} (a table of curves)", option("image", "FILE"),
                                 option("tacs", "FILE")));
  if (request.models.empty()) throw InputError("at least one model is needed, such as " + option("models", "1,2,3"));
  PetPlan plan;
  plan.request = request;
  if (request.tacs.empty())
    read_image(plan);
  else
    read_table(plan);
  plan.mean_curve = mean_of(plan.curves, (plan.is_image() ? request.image : request.tacs).string(), plan.warnings);
  plan.input = read_input(plan);
  if (request.vb > 0 && plan.input.blood.empty())
    throw InputError(option("vb") +
                     " needs whole blood, and the blood files have none; add a file with whole_blood_radioactivity");
  const PetFrames frames = frames_of(plan);
  plan.delay_found = !request.delay.has_value();
  plan.delay = request.delay ? *request.delay : find_delay(plan.input, frames, plan.mean_curve, request.vb);
  if (plan.delay != 0) plan.input = plan.input.shifted(plan.delay);
  append(plan.notes, plan.scan.notes);
  append(plan.notes, plan.input.notes);
  append(plan.warnings, plan.scan.warnings);
  append(plan.warnings, plan.input.warnings);
  choose_models(plan);
  return plan;
}

void PetPlan::forget_voxels() {
  if (!is_image()) return;
  sum_of_curves = sum_of(curves);
  curves = Curves{.frames = curves.frames, .index = {}, .values = {}};
  atlas.values = std::vector<std::int32_t>();  // braces alone would keep the memory
}

void PetPlan::read_voxels() {
  if (!sum_of_curves) return;
  read_voxels_of(*this);
  if (sum_of(curves) != *sum_of_curves)
    throw RunError(fmt::format("{} or its mask changed while another scan was computed; start the command again",
                               request.image.string()));
  sum_of_curves.reset();
}

std::vector<std::string> PetPlan::written_warnings() const {
  std::vector<std::string> out;
  for (const std::string& text : warnings) out.push_back(spelled(text, request.spelling));
  return out;
}

std::vector<std::string> PetPlan::model_names() const {
  std::vector<std::string> names;
  for (const PetOptions& o : models) names.push_back(fmt::format("{}TCM", o.compartments));
  return names;
}

FitColumns PetPlan::columns() const {
  std::vector<std::size_t> orders;
  for (const PetOptions& o : models) orders.push_back(o.compartments);
  return {model_names(), std::move(orders)};
}

std::size_t PetPlan::chunk() const { return request.chunk.value_or(is_image() ? 32 : 1); }

CurveSetup PetPlan::setup() const {
  const PetFrames frames = frames_of(*this);
  CurveSetup out{.models = models,
                 .frames = frames,
                 .input = input.pet_input(request.spline ? PetInterpolation::spline : PetInterpolation::linear),
                 .blood = request.vb > 0 ? make_blood(request.vb, input.blood_input(), frames) : PetBlood{},
                 .smc = request.preset == PetPreset::paper ? paper_preset() : fast_preset(),
                 .seed = request.seed,
                 .scan_seconds = scan.timing.size() > 0 ? scan.timing.last_end() : frames.time.back()};
  if (request.particles) out.smc.particles = *request.particles;
  if (request.cess) out.smc.schedule = CessSchedule{*request.cess};
  return out;
}

JournalIdentity PetPlan::identity() const {
  JournalIdentity id;
  const CurveSetup s = setup();
  id.fact("version of evident", version());
  id.fact("models", fmt::format("{}", fmt::join(model_names(), ", ")));
  id.fact("particles", std::to_string(s.smc.particles));
  id.fact("cess", fmt::format("{}", std::get<CessSchedule>(s.smc.schedule).target));
  id.fact("preset", request.preset == PetPreset::paper ? "paper" : "fast");
  id.fact("evidence", "importance sampling");
  id.fact("seed", std::to_string(request.seed));
  id.fact("prior", fmt::format("{}", fmt::join(prior_lines(models.back()), "; ")));
  id.fact("chunk", std::to_string(chunk()));
  id.fact("vb", fmt::format("{}", request.vb));
  id.fact("delay", fmt::format("{}", delay));
  id.fact("frame", averages_frames() ? "average" : "middle");
  id.fact("interpolation", request.spline ? "spline" : "linear");
  const auto sum = [](const auto& values) { return fmt::format("{:016x}", sum_of(values)); };
  std::vector<double> bounds;  // in full: the text of the prior is rounded
  for (const PetOptions& o : models) {
    for (std::size_t d = 0; d < o.compartments; ++d)
      bounds.insert(bounds.end(),
                    {o.phi_bounds(d).lower, o.phi_bounds(d).upper, o.theta_bounds(d).lower, o.theta_bounds(d).upper});
    bounds.insert(bounds.end(), {o.precision_shape, o.precision_scale, o.activity_floor});
  }
  id.fact("bounds of the prior (sum)", sum(bounds));
  id.fact("curves (sum)", sum(curves.values));
  id.fact("voxels (sum)", sum(curves.index));
  id.fact("input function (sum)", sum(input.plasma) + sum(input.time) + sum(input.blood));
  id.fact("frames (sum)", sum(s.frames.time) + sum(s.frames.dt) + sum(s.frames.duration));
  return id;
}

namespace {

/// The prior, with the models that share a line named once.
void add_priors(const PetPlan& plan, std::vector<std::string>& lines) {
  std::vector<std::pair<std::string, std::vector<std::string>>> found;  // line, models
  const std::vector<std::string> names = plan.model_names();
  for (std::size_t k = 0; k < plan.models.size(); ++k)
    for (const std::string& line : prior_lines(plan.models[k])) {
      auto at = std::ranges::find(found, line, [](const auto& f) { return f.first; });
      if (at == found.end()) {
        found.emplace_back(line, std::vector<std::string>{});
        at = found.end() - 1;
      }
      at->second.push_back(names[k]);
    }
  std::ranges::stable_sort(found, {}, [](const auto& f) { return f.first.substr(0, f.first.find(':')); });
  for (const auto& [line, models] : found) {
    const std::size_t colon = line.find(':'), text = line.find_first_not_of(": ", colon);
    lines.push_back(
        fmt::format("prior:    {}: {} ({})", line.substr(0, colon), line.substr(text),
                    models.size() == names.size() ? "all models" : fmt::format("{}", fmt::join(models, ", "))));
  }
}

}  // namespace

std::vector<std::string> PetPlan::understood() const {
  std::vector<std::string> lines = imaging::understood(scan, &input);
  const auto add = [&](const char* label, const std::string& text) {
    lines.push_back(fmt::format("{:<9} {}", std::string(label) + ":", text));
  };
  add("delay", fmt::format("{:+.1f} s, {}", delay, delay_found ? "found on the mean curve" : "as given"));
  add("V_B", request.vb > 0 ? fmt::format("{}, fixed", request.vb) : "none: blood within tissue is not modelled");
  add("frame", averages_frames() ? "its average is predicted" : "the value in its middle is predicted");
  add_priors(*this, lines);
  const SmcOptions smc = setup().smc;
  add("sampler", fmt::format("{} particles, CESS {}, seed {}", smc.particles,
                             std::get<CessSchedule>(smc.schedule).target, request.seed));
  if (is_image())
    add("voxels", fmt::format("{} of an image of {}", curves.size(), shape_text(geometry)));
  else
    add("regions", std::to_string(curves.size()));
  return lines;
}

}  // namespace evident::imaging
